//! Kernels that were compiled, kept with the device: other settings of a method are other tables, and seldom another kernel.

use crate::Gpu;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

/// Shared by all who hold the device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiled(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    /// By their text.
    modules: HashMap<String, wgpu::ShaderModule>,
    pipelines: HashMap<Entry, wgpu::ComputePipeline>,
    compilations: usize,
}

/// An entry point of a module, with the bits of the constants that it leaves open.
type Entry = (wgpu::ShaderModule, String, Vec<(String, u64)>);

impl Compiled {
    /// Nobody compiles while this is held: what is compiled beside the window must not hold the window up.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Gpu {
    /// A kernel, compiled when it is first asked for.
    pub fn module(&self, label: &str, source: &str) -> wgpu::ShaderModule {
        if let Some(module) = self.compiled.kept().modules.get(source) {
            return module.clone();
        }
        let descriptor =
            wgpu::ShaderModuleDescriptor { label: Some(label), source: wgpu::ShaderSource::Wgsl(source.into()) };
        let module = self.device.create_shader_module(descriptor);
        let mut kept = self.compiled.kept();
        kept.compilations += 1;
        kept.modules.entry(source.to_owned()).or_insert(module).clone()
    }

    /// An entry point of a kernel, with the constants that it leaves open; compiled when it is first asked for.
    pub fn pipeline(
        &self,
        module: &wgpu::ShaderModule,
        entry: &str,
        constants: &[(&str, f64)],
    ) -> wgpu::ComputePipeline {
        let bits = constants.iter().map(|(name, value)| ((*name).to_owned(), value.to_bits())).collect();
        let key: Entry = (module.clone(), entry.to_owned(), bits);
        if let Some(pipeline) = self.compiled.kept().pipelines.get(&key) {
            return pipeline.clone();
        }
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
            cache: None,
        });
        let mut kept = self.compiled.kept();
        kept.compilations += 1;
        kept.pipelines.entry(key).or_insert(pipeline).clone()
    }

    /// What the device refused must not be handed out again: all is compiled anew.
    pub(crate) fn forget_compiled(&self) {
        let mut kept = self.compiled.kept();
        kept.modules.clear();
        kept.pipelines.clear();
    }

    /// How many modules and pipelines were compiled so far: for tests that must see none compiled twice.
    #[doc(hidden)]
    pub fn compilations(&self) -> usize {
        self.compiled.kept().compilations
    }
}
