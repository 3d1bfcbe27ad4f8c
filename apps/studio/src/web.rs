//! A page of a browser: the same window on a canvas. Files come by drop or by the browser's picker and leave as
//! downloads; nothing else goes in or out. What the page calls is `start`; `drive`, `settled` and `report` are for tests
//! and for whoever wants to steer it from a script of their own.

use crate::{
    app::App,
    drive::Drive,
    studio::{
        Studio,
        memory::{Memory, Store},
        recovery::Recovery,
    },
};
use eframe::{egui_wgpu, wgpu};
use std::{cell::RefCell, sync::Arc};
use supple_gpu::Gpu;
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlElement, HtmlInputElement, Url};

thread_local! {
    static RUNNER: RefCell<Option<eframe::WebRunner>> = const { RefCell::new(None) };
    /// Kept while the browser's picker is open: a browser may forget an element that nobody holds.
    static PICKER: RefCell<Option<(HtmlInputElement, Closure<dyn FnMut()>)>> = const { RefCell::new(None) };
}

/// Opens the studio on a canvas of the page.
#[wasm_bindgen]
pub async fn start(canvas: web_sys::HtmlCanvasElement) -> Result<(), JsValue> {
    let runner = eframe::WebRunner::new();
    tell_of_panics();
    let mut setup = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    setup.power_preference = wgpu::PowerPreference::HighPerformance;
    setup.device_descriptor = Arc::new(Gpu::descriptor);
    let options = eframe::WebOptions {
        wgpu_options: egui_wgpu::WgpuConfiguration { wgpu_setup: setup.into(), ..Default::default() },
        ..Default::default()
    };
    let create: eframe::AppCreator<'static> = Box::new(|cc| {
        let render = cc.wgpu_render_state.as_ref().ok_or("the browser gives no graphics device")?;
        let memory = Memory::load(Store::Browser("supple-studio"));
        let recovery = Recovery::new(Store::Browser("supple-unsaved"));
        Ok(Box::new(App::new(&cc.egui_ctx, render, memory, recovery, None, None)?))
    });
    RUNNER.set(Some(runner.clone()));
    runner.start(canvas, options, create).await
}

/// Follows lines of a script, as `supple studio --script` does.
#[wasm_bindgen]
pub fn drive(lines: &str) -> Result<(), JsValue> {
    with_app(|app| {
        app.drive.get_or_insert_with(Drive::default).push(lines)?;
        app.studio.work.wake.up();
        Ok(())
    })
    .unwrap_or_else(|| Err("the studio is not running".to_owned()))
    .map_err(|error| JsValue::from_str(&error))
}

/// Whether the studio has been drawn and has done all that it was asked to.
#[wasm_bindgen]
pub fn settled() -> bool {
    with_app(|app| app.is_settled()).unwrap_or(false)
}

/// What the last `{"script": "report"}` found, as JSON.
#[wasm_bindgen]
pub fn report() -> String {
    let found = with_app(|app| app.drive.as_ref().and_then(|d| d.report.as_ref().map(ToString::to_string)));
    found.flatten().unwrap_or_else(|| "null".to_owned())
}

/// What was said lately, one line each.
#[wasm_bindgen]
pub fn notices() -> String {
    let lines = |app: &mut App| app.studio.said.notices.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join("\n");
    with_app(lines).unwrap_or_default()
}

/// None before the start, after a panic, and while the app itself is calling.
fn with_app<T>(then: impl FnOnce(&mut App) -> T) -> Option<T> {
    let runner = RUNNER.with_borrow(Clone::clone)?;
    runner.app_mut::<App>().map(|mut app| then(&mut app))
}

/// A canvas that stands still says nothing: the page does.
fn tell_of_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        before(info);
        tell_fault(&info.to_string());
    }));
}

/// Says on the page why its canvas stands still.
pub fn tell_fault(why: &str) {
    let element = |id: &str| web_sys::window()?.document()?.get_element_by_id(id)?.dyn_into::<HtmlElement>().ok();
    if let (Some(message), Some(cause)) = (element("fault"), element("fault-cause")) {
        cause.set_inner_text(why);
        message.set_hidden(false);
    }
}

/// Lets the browser draw a frame before something long is done.
pub async fn pause() {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            // Longer than a frame at 60 a second.
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, 20);
        }
    });
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
}

/// Gives bytes to the browser as a download.
pub fn download(name: &str, bytes: &[u8]) -> Result<(), String> {
    let wrong = |e: JsValue| format!("{name}: the browser does not take it: {e:?}");
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind).map_err(wrong)?;
    let address = Url::create_object_url_with_blob(&blob).map_err(wrong)?;
    let anchor = element("a").and_then(|a| a.dyn_into::<HtmlAnchorElement>().map_err(JsValue::from)).map_err(wrong)?;
    anchor.set_href(&address);
    anchor.set_download(name);
    anchor.click();
    wasm_bindgen_futures::spawn_local(async move {
        // The browser reads the bytes after the click.
        for _ in 0..500 {
            pause().await;
        }
        let _ = Url::revoke_object_url(&address);
    });
    Ok(())
}

/// Opens files of the browser, when their bytes are there.
pub fn take(studio: &mut Studio, files: Vec<web_sys::File>) {
    let Some(first) = files.first() else { return };
    studio.await_files(first.name(), move || async move {
        let mut read = Vec::with_capacity(files.len());
        for file in files {
            let name = file.name();
            // Memory of a page ends at four gigabytes.
            if file.size() > f64::from(u32::MAX / 4) {
                return Err(format!("{name}: it is too large for a page; the desktop studio can open it"));
            }
            let buffer = file.array_buffer().await.map_err(|e| format!("{name}: {e:?}"))?;
            read.push((name, js_sys::Uint8Array::new(&buffer).to_vec()));
        }
        Ok(read)
    });
    studio.work.wake.up();
}

/// Asks for files; they are opened when some were chosen.
pub fn pick(studio: &mut Studio) {
    if let Err(error) = ask() {
        studio.complain(format!("the browser shows no picker ({error:?}); drop a file on the page"));
    }
}

fn ask() -> Result<(), JsValue> {
    let input: HtmlInputElement = element("input")?.dyn_into().map_err(JsValue::from)?;
    input.set_type("file");
    // Any kind: what a glTF refers to is picked along with it.
    input.set_multiple(true);
    let chosen = {
        let input = input.clone();
        Closure::new(move || {
            let Some(files) = input.files() else { return };
            let files = (0..files.length()).filter_map(|i| files.get(i)).collect();
            with_app(|app| take(&mut app.studio, files));
        })
    };
    input.set_onchange(Some(chosen.as_ref().unchecked_ref()));
    input.click();
    PICKER.set(Some((input, chosen)));
    Ok(())
}

fn element(name: &str) -> Result<web_sys::Element, JsValue> {
    let document = web_sys::window().and_then(|w| w.document()).ok_or("there is no page")?;
    document.create_element(name)
}
