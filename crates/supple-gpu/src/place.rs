//! Where each node of a graph runs.

use crate::{GpuError, Twin, twins};
use supple::graph::{Binding, Kernel, Source};

/// Where a node runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// On the device.
    Device,
    /// On the processor, for this reason.
    Processor(String),
}

impl Place {
    /// On the device.
    pub fn is_device(&self) -> bool {
        *self == Self::Device
    }
}

/// The kernel of a method, or why it has none.
pub(crate) fn twin(method: &'static str) -> Result<&'static Twin, GpuError> {
    twins().iter().find(|t| t.method == method).ok_or_else(|| {
        let reason = supple::graph::method(method).map_or("it is not registered", |m| match m.kernel {
            Kernel::None(reason) => reason,
            Kernel::Twin(_) => "this build does not hold it",
        });
        GpuError::NoKernel { method: method.into(), reason: reason.into() }
    })
}

/// All nodes on the processor: those without a kernel for that reason, the others for `why`.
pub(crate) fn on_processor(binding: &Binding, why: &str) -> Vec<Place> {
    let reason = |method| twin(method).map_or_else(|error| error.reason(), |_| why.to_owned());
    binding.nodes().iter().map(|node| Place::Processor(reason(node.method))).collect()
}

/// In a browser nothing comes back from the device while one waits: there whatever a node on the processor takes must come from the
/// processor too. Elsewhere what it takes is brought back.
pub(crate) fn settle(binding: &Binding, places: &mut [Place], can_wait: bool) {
    if can_wait {
        return;
    }
    for (i, node) in binding.nodes().iter().enumerate().rev() {
        if places[i].is_device() {
            continue;
        }
        for source in &node.inputs {
            if let Source::Node(n) = source
                && places[*n].is_device()
            {
                places[*n] = Place::Processor(format!("\"{}\", which takes what it gives, runs there", node.name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::{
        example::{ArmOptions, arm},
        graph::DeformGraph,
    };

    /// "half" joins two, "most" joins it and a third, and "last" joins two others.
    const CHAIN: &str = r#"{"version": 1, "output": "most", "nodes": [
        {"name": "soft", "method": "linear", "inputs": ["rest"]},
        {"name": "firm", "method": "dual-quaternion", "inputs": ["rest"]},
        {"name": "half", "method": "mix", "inputs": ["soft", "firm"]},
        {"name": "third", "method": "stretch-twist", "inputs": ["rest"]},
        {"name": "most", "method": "mix", "inputs": ["half", "third"]},
        {"name": "aside", "method": "linear", "inputs": ["rest"]},
        {"name": "last", "method": "mix", "inputs": ["aside", "third"]}]}"#;

    /// Names of those that are on the device once the places are settled, where some are on the processor.
    fn settled<'a>(binding: &'a Binding, on_processor: &[&str], can_wait: bool) -> (Vec<&'a str>, Vec<Place>) {
        let place = |name| if on_processor.contains(&name) { Place::Processor("so".into()) } else { Place::Device };
        let mut places: Vec<Place> = binding.node_names().map(place).collect();
        settle(binding, &mut places, can_wait);
        (binding.node_names().zip(&places).filter(|(_, p)| p.is_device()).map(|(name, _)| name).collect(), places)
    }

    #[test]
    fn where_nobody_can_wait_all_that_a_node_on_the_processor_takes_is_there_too() {
        let rig = arm(&ArmOptions { vertices: 600, plain: true, ..Default::default() }).expect("an arm");
        let binding = DeformGraph::from_json(CHAIN).expect("a graph").binding(&rig).expect("it binds");
        let all = ["soft", "firm", "half", "third", "most", "aside", "last"];
        assert_eq!(settled(&binding, &[], false).0, all);
        assert_eq!(settled(&binding, &["most"], true).0, ["soft", "firm", "half", "third", "aside", "last"]);
        let (on_device, places) = settled(&binding, &["most"], false);
        assert_eq!(on_device, ["aside", "last"], "what they give is taken on the device alone");
        let why = |who: &str| Place::Processor(format!("\"{who}\", which takes what it gives, runs there"));
        assert_eq!(places[..5], [why("half"), why("half"), why("most"), why("most"), Place::Processor("so".into())]);
        assert_eq!(settled(&binding, &["soft", "aside"], false).0, ["firm", "half", "third", "most", "last"]);
    }
}
