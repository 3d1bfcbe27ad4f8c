//! The words the command understands.

pub mod bind;
pub mod fit;
pub mod retarget;
pub mod turns;
pub mod weights;

use crate::number;
use clap::{ArgAction, ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use supple::read::Reach;

/// Skins that follow their skeletons.
///
/// Without a subcommand: moves the built-in characters by every method, and writes a page with pictures and figures.
#[derive(Debug, Parser)]
#[command(name = "supple", version, max_term_width = 110)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    /// Without a subcommand: the folder of the report; made if missing [default: supple-out]
    #[arg(long = "output", short = 'o', value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Use this many threads instead of all
    #[arg(long, global = true, value_name = "N", value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Where to compute
    #[arg(long, global = true, value_enum, default_value_t = Device::Auto)]
    pub device: Device,
    /// Turn pieces of meshes that are inside out as they are read; `supple info` names them
    #[arg(long, global = true)]
    pub flip: bool,
    /// Say nothing but results, warnings and errors; given twice, no warnings either
    #[arg(long, short, global = true, action = ArgAction::Count)]
    pub quiet: u8,
}

/// Where to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Device {
    /// A graphics card where the work is worth opening it, else the processor
    Auto,
    /// The processor
    Cpu,
    /// The graphics card, software drivers included; the processor where there is none
    Gpu,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a character made by code
    Example(Example),
    /// Tell what is in a file
    Info(Info),
    /// Give a mesh a skeleton and skin weights
    Bind(bind::Bind),
    /// Place a standard skeleton inside a bare mesh
    Fit(fit::Fit),
    /// Change the weights of a rig: smooth, limit, normalize, prune, mirror, transfer
    Weights(weights::Weights),
    /// Give a rig a motion of another file as a clip, by joint names
    Retarget(retarget::Retarget),
    /// Move a rig to one pose and write the points
    Deform(Deform),
    /// Move a rig through a clip and write every frame
    Bake(Bake),
    /// Draw a rig in one pose as a picture
    Render(Render),
    /// Cut the skin of a rig into one region for each bone
    Segment(Segment),
    /// Tell where each node of a graph runs, why, and how long it takes
    Explain(Explain),
    /// Measure how good moved skin is
    Measure(Measure),
    /// Compare methods side by side on one page: pictures, figures, times
    Compare(Compare),
    /// Open the window: look, pose, compare, edit
    Studio(Studio),
    /// Time the methods
    Bench(Bench),
    /// List every method with its settings and its paper, or one with all that can be set of it
    Methods(Methods),
    /// Print a completion script for a shell, as in `supple completions bash > …`
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    Man {
        /// The folder; made if missing
        folder: PathBuf,
    },
}

#[derive(Args, Debug)]
pub struct Example {
    /// Which character
    pub character: Character,
    /// Roughly so many vertices (points for the statue)
    #[arg(long, value_name = "N", value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub vertices: Option<usize>,
    /// So many bones (figure: 23 or more, 55 adds fingers; hand: 17 to 21)
    #[arg(long, value_name = "B", value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub bones: Option<usize>,
    /// A smooth capsule, for comparison with published figures (arm only)
    #[arg(long)]
    pub plain: bool,
    /// Half-width of the weight band round the elbow, in radii (arm only)
    #[arg(long, value_name = "R", value_parser = number::any, allow_negative_numbers = true)]
    pub band: Option<f64>,
    /// Where to write it: .glb (statue: .ply, its model .json beside it)
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// Characters made by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Character {
    /// Two bones; the elbow everybody measures
    Arm,
    /// 21 bones, clip "fist"
    Hand,
    /// A whole body, clips "walk" and "crouch"
    Figure,
    /// A point set with a sphere-mesh model
    Statue,
}

#[derive(Args, Debug)]
pub struct Info {
    /// A rig, mesh, point set, skeleton or motion
    pub file: PathBuf,
    /// Tell how each joint bends, and how sure that is
    #[arg(long)]
    pub joints: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Options that name a file which names others.
const NAMING: &str = "naming";

/// How the rig is moved.
#[derive(Args, Clone, Debug)]
#[command(group(ArgGroup::new(NAMING).multiple(true)))]
pub struct How {
    /// The method; `supple methods` lists them
    #[arg(long, short, value_name = "NAME", default_value = "linear", conflicts_with = "project")]
    pub method: String,
    /// A setting of the method
    #[arg(long = "set", value_name = "KEY=VALUE", conflicts_with = "project")]
    pub settings: Vec<String>,
    /// A sphere-mesh (.sm, .json) that the rig is modelled on: its spheres move with the joints of their names or in their centres, and
    /// a rig without joints takes its own
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Take the graph of methods (and the rig, where none is given) from a project file
    #[arg(long, value_name = "FILE.json", group = NAMING)]
    pub project: Option<PathBuf>,
    /// Let the project take its rig and motions from outside its own folder
    #[arg(long, requires = NAMING)]
    pub allow_outside: bool,
}

impl How {
    /// How far a project, or a list of references, may reach.
    pub fn reach(&self) -> Reach {
        if self.allow_outside { Reach::Anywhere } else { Reach::Folder }
    }
}

/// Where a rig goes that was made from another: one of the two.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct Destination {
    /// Where to write the rig: .glb
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file that is read; the old one is kept beside it as FILE~ (FILE~2 and on where that is taken)
    #[arg(long)]
    pub in_place: bool,
}

#[derive(Args, Debug)]
pub struct Deform {
    /// The rig
    #[arg(required_unless_present = "project")]
    pub rig: Option<PathBuf>,
    #[command(flatten)]
    pub how: How,
    #[command(flatten)]
    pub pose: PoseArguments,
    /// Where to write the moved points: .glb, .obj, .ply or .usda
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// A pose in the words of the command line, alone.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
pub struct PoseWords {
    #[command(flatten)]
    pub pose: PoseArguments,
}

/// Where the joints are. With none of these the file's own node transforms are taken, as a viewer would.
#[derive(Args, Clone, Debug, Default)]
pub struct PoseArguments {
    /// The bind pose
    #[arg(long, conflicts_with_all = [&["clip", "pose"], &turns::NAMES[..]].concat())]
    pub rest: bool,
    /// A clip of the rig by name or number, or a motion file (.bvh, .glb, .gltf, .fbx) applied by joint name
    #[arg(long, value_name = "NAME|INDEX|FILE", conflicts_with_all = [&["pose"], &turns::NAMES[..]].concat(), allow_negative_numbers = true)]
    pub clip: Option<String>,
    /// Seconds into the clip
    #[arg(long, value_name = "T", requires = "clip", default_value_t = 0.0, allow_negative_numbers = true, value_parser = number::any)]
    pub time: f64,
    /// A pose file: `{"joints": {"name": {"rotation": [x,y,z,w], …}}}`
    #[arg(long, value_name = "FILE.json", conflicts_with_all = turns::NAMES)]
    pub pose: Option<PathBuf>,
    #[command(flatten)]
    pub turns: turns::Turns,
}

impl PoseArguments {
    /// Whether they name no pose.
    pub fn is_nothing(&self) -> bool {
        !self.rest && self.clip.is_none() && self.pose.is_none() && self.turns.0.is_empty()
    }
}

#[derive(Args, Debug)]
pub struct Bake {
    /// The rig
    #[arg(required_unless_present = "project")]
    pub rig: Option<PathBuf>,
    #[command(flatten)]
    pub how: How,
    /// A clip of the rig by name or number, or a motion file (.bvh, .glb, .gltf, .fbx) applied by joint name
    #[arg(long, value_name = "NAME|INDEX|FILE", allow_negative_numbers = true)]
    pub clip: String,
    /// Frames a second
    #[arg(long, default_value_t = 30.0, value_parser = number::any, allow_negative_numbers = true)]
    pub fps: f64,
    /// Only frames A up to, not including, B
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub frames: Option<String>,
    /// Only share I of N of the frames, for several machines; I counts from 1
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    pub shard: Option<String>,
    /// Where to write the frames: .glb (morph targets), .usda or .pc2
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Args, Debug)]
pub struct Render {
    /// A rig, mesh, point set or skeleton
    #[arg(required_unless_present = "project")]
    pub rig: Option<PathBuf>,
    #[command(flatten)]
    pub how: How,
    #[command(flatten)]
    pub pose: PoseArguments,
    /// The side to look from
    #[arg(long, value_name = "SIDE", default_value = "three-quarter", value_parser = ["front", "back", "left", "right", "top", "bottom", "three-quarter"])]
    pub view: String,
    /// Draw closely round a joint; without a radius, half the longest bone that meets there
    #[arg(long, value_name = "JOINT[=RADIUS]")]
    pub close: Option<String>,
    /// Parallel rays instead of perspective
    #[arg(long)]
    pub orthographic: bool,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1200x900", allow_hyphen_values = true)]
    pub size: String,
    /// What to show; one at a time, with wire and bones over it
    #[arg(long, value_enum, value_delimiter = ',', default_value = "shaded")]
    pub show: Vec<Show>,
    /// With --show weights: the weights of this joint alone; with samples: those of its limb, numbered and
    /// seen closely; with field: the joint that the plane goes through
    #[arg(long, value_name = "JOINT")]
    pub joint: Option<String>,
    /// With --show field: the plane, by its normal (bend, x, y, z or three numbers), moved along it by OFFSET, through the
    /// joint or a POINT x,y,z
    #[arg(long, value_name = "NORMAL[=OFFSET][@POINT]", allow_hyphen_values = true)]
    pub plane: Option<String>,
    /// Colour the skin by a quantity
    #[arg(long, value_enum)]
    pub quantity: Option<Quantity>,
    /// Cut away what lies beyond this place along an axis, to see the inside
    #[arg(long, value_name = "AXIS=PLACE", allow_hyphen_values = true)]
    pub section: Option<String>,
    /// What lies behind
    #[arg(long, value_enum, default_value_t = Backdrop::Light)]
    pub background: Backdrop,
    /// Samples along each side of a pixel, 1 to 4 [default: 3]
    #[arg(long, value_name = "N", value_parser = number::whole::<u32>, allow_negative_numbers = true)]
    pub samples: Option<u32>,
    /// The skin in one plain colour, without its materials and textures
    #[arg(long)]
    pub plain: bool,
    /// A line of text at the top
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    /// Where to write the picture: .png
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    /// The skin in its own colours; its inside is red
    Shaded,
    /// The normals of the skin as colours
    Normals,
    /// Near is light, far is dark
    Depth,
    /// A colour for each triangle or point
    Ids,
    /// A hue for each joint, blended by weight
    Weights,
    /// A hue for each joint, as the rest skin is cut into regions
    Segments,
    /// How far the weights are from belonging to one joint alone
    #[value(alias = "overlaps")]
    SharedWeights,
    /// A plane through the volumes of the limbs: blue outside, red inside; with shaded, the skin behind it
    Field,
    /// The points that the volumes of the limbs were fitted through, caps in red
    Samples,
    /// Lines along the edges
    Wire,
    /// The posed skeleton, paler the deeper it lies
    Bones,
}

/// A number for each vertex, shown as a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Quantity {
    /// Length of the edges round a vertex over their length at rest
    Stretch,
}

/// What lies behind everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backdrop {
    /// Warm white
    Light,
    /// Near black
    Dark,
}

#[derive(Args, Debug)]
pub struct Segment {
    /// The rig: a mesh with a skeleton; weights are not needed
    pub rig: PathBuf,
    /// Where to write the skin with one colour for each bone: .glb or .ply
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Explain {
    /// The rig
    #[arg(required_unless_present = "project")]
    pub rig: Option<PathBuf>,
    #[command(flatten)]
    pub how: How,
    #[command(flatten)]
    pub pose: PoseArguments,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Measure {
    /// The rig, moved as the options say; or, before a second file, a surface or point set at rest
    #[arg(value_name = "RIG|REST", required_unless_present_any = ["project", "reference"])]
    pub rig: Option<PathBuf>,
    /// The same vertices moved, whoever moved them
    #[arg(
        value_name = "POSED",
        conflicts_with_all = [
            &["method", "settings", "model", "project", "rest", "clip", "pose", "around", "flicker", "all", "reference"],
            &turns::NAMES[..],
        ]
        .concat()
    )]
    pub posed: Option<PathBuf>,
    #[command(flatten)]
    pub how: How,
    #[command(flatten)]
    pub pose: PoseArguments,
    /// Every frame of the clip, and the worst of each figure
    #[arg(long, requires = "clip", conflicts_with = "time")]
    pub all: bool,
    /// Frames a second
    #[arg(long, value_name = "F", requires = "all", default_value_t = 30.0, value_parser = number::any, allow_negative_numbers = true)]
    pub fps: f64,
    /// Look for overlap in a box round a joint as well; without a radius, half the longest bone that meets there
    #[arg(long = "box", value_name = "JOINT[=RADIUS]")]
    pub around: Option<String>,
    /// Bend a joint from the bind pose, one degree a frame, and compare its steps with those of dual quaternions
    #[arg(long, value_name = "JOINT=DEG[@x,y,z]")]
    pub flicker: Option<String>,
    /// Compare with a reference shape of the pose, a mesh with the vertices of the rig, round the joint of --box; or, without a rig,
    /// with every shape of a list (.json), which names rigs and poses; --allow-outside lets it take them from outside its folder
    #[arg(long, value_name = "FILE", group = NAMING, conflicts_with_all = ["all", "flicker", "model"])]
    pub reference: Option<PathBuf>,
    /// With a list of references: only those whose name contains this
    #[arg(long, value_name = "TEXT", requires = "reference", conflicts_with_all = ["rig", "project"])]
    pub case: Option<String>,
    /// Cells along the longest side of the box in which volumes are counted
    #[arg(long, value_name = "N", default_value_t = 96, value_parser = number::whole::<usize>, allow_negative_numbers = true)]
    pub grid: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Compare {
    /// The rig
    pub rig: PathBuf,
    /// A sphere-mesh (.sm, .json) that the rig is modelled on
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// Which methods, in this order; by default every one that stands alone
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// A setting of the methods that have it; may be repeated. `supple methods` lists them
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    #[command(flatten)]
    pub pose: PoseArguments,
    /// The side to look from
    #[arg(long, value_name = "SIDE", default_value = "three-quarter", value_parser = ["front", "back", "left", "right", "top", "bottom", "three-quarter"])]
    pub view: String,
    /// The folder of index.html and figures.json; made if missing
    #[arg(long, short, value_name = "FOLDER")]
    pub output: PathBuf,
}

#[derive(Args, Debug)]
pub struct Bench {
    /// Rigs to time, each with its first clip; by default built-in characters
    pub rigs: Vec<PathBuf>,
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
    /// Only rows whose "rig method" contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub filter: String,
    /// Seconds for each row
    #[arg(long, default_value_t = 1.0, value_parser = number::any, allow_negative_numbers = true)]
    pub seconds: f64,
}

#[derive(Args, Debug)]
pub struct Methods {
    /// One method alone, with all that can be set of it
    pub name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Open the window.
///
/// Without a file it begins with the built-in characters. The same application runs in a browser: see --web.
#[derive(Debug, Args)]
pub struct Studio {
    /// A rig, a mesh or a project
    pub file: Option<PathBuf>,
    /// Serve the browser's version on this machine and open it, in place of a window
    #[arg(long)]
    pub web: bool,
    /// With --web: the folder that `cargo xtask web` built
    #[arg(long, value_name = "FOLDER", requires = "web")]
    pub dist: Option<PathBuf>,
    /// With --web: the port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 0, requires = "web")]
    pub port: u16,
    /// With --web: serve only, and open nothing
    #[arg(long, requires = "web")]
    pub no_open: bool,
    /// Width and height of the window
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Follow a script: commands as lines of JSON
    #[arg(long, value_name = "FILE", conflicts_with = "web")]
    pub script: Option<PathBuf>,
}
