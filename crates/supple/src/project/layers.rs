//! Large data of a project: rows of values by vertex, in layers that copies share.
//!
//! Undo keeps a project for each step, and a project that is painted all over holds millions of numbers. So what is painted
//! is never changed in place: a stroke is laid over what is there as a layer of its own, which replaces the rows below it,
//! and the project before the stroke goes on sharing the rest. A step costs the rows that it changes, in whatever order
//! the vertices of the mesh are numbered.
//!
//! In a file the rows stand in the project itself, merged, not in a file beside it: a project is mailed, versioned and
//! opened as one file, and a second one would be the one that is forgotten. 200,000 painted vertices are some 40 MB of
//! JSON; readers take half a gigabyte.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{collections::BTreeMap, sync::Arc};

/// Rows of values by vertex. Copying it copies no row.
#[derive(Clone, Debug)]
pub struct VertexLayers<T> {
    /// A row replaces those of the same vertex before it.
    layers: Vec<Arc<Layer<T>>>,
    /// Vertices that have a row.
    count: usize,
}

/// Rows in the order of their vertices, in flat arrays: a map of lists would be three times as large.
#[derive(Debug)]
struct Layer<T> {
    vertices: Vec<u32>,
    /// Where the row of each ends in `values`.
    ends: Vec<u32>,
    values: Vec<T>,
}

/// The newest layer takes rows in until it has so many: the dabs of one stroke become few layers, and what is copied for
/// the next dab stays small.
const NEWEST: usize = 4096;
/// Layers are merged once they have so many times the rows of the lowest: a vertex is looked for in few layers, and rows
/// are copied seldom.
const MERGED: usize = 2;
/// Below so many rows nothing is worth merging.
const FEW: usize = 16 * NEWEST;

impl<T> Default for VertexLayers<T> {
    fn default() -> Self {
        Self { layers: Vec::new(), count: 0 }
    }
}

impl<T: Copy> VertexLayers<T> {
    /// No vertex has a row.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many vertices have a row.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The row of a vertex.
    pub fn get(&self, vertex: u32) -> Option<&[T]> {
        self.layers.iter().rev().find_map(|layer| layer.get(vertex))
    }

    /// Lays rows over those that are there. Of several rows of one vertex the last counts.
    pub fn put(&mut self, rows: impl IntoIterator<Item = (u32, Vec<T>)>) {
        let rows: BTreeMap<u32, Vec<T>> = rows.into_iter().collect();
        if rows.is_empty() {
            return;
        }
        self.count += rows.keys().filter(|v| self.get(**v).is_none()).count();
        let mut new = Layer::of(rows.iter().map(|(v, row)| (*v, &row[..])));
        if let Some(newest) = self.layers.pop_if(|newest| newest.vertices.len() + rows.len() <= NEWEST) {
            new = Layer::of(sorted(&[newest, Arc::new(new)]));
        }
        self.layers.push(Arc::new(new));
        let above: usize = self.layers[1..].iter().map(|layer| layer.vertices.len()).sum();
        if above > (MERGED * self.layers[0].vertices.len()).max(FEW) {
            self.layers = vec![Arc::new(Layer::of(self.rows()))];
        }
    }

    /// All rows, in the order of the vertices.
    pub fn rows(&self) -> impl Iterator<Item = (u32, &[T])> {
        sorted(&self.layers)
    }

    /// The row of each of the first so many vertices, where it has one.
    pub fn table(&self, vertices: usize) -> Vec<Option<&[T]>> {
        let mut table = vec![None; vertices];
        for layer in &self.layers {
            for (vertex, row) in layer.rows() {
                if let Some(place) = table.get_mut(vertex as usize) {
                    *place = Some(row);
                }
            }
        }
        table
    }

    /// The last vertex that has a row.
    pub fn last(&self) -> Option<u32> {
        self.layers.iter().filter_map(|layer| layer.vertices.last()).max().copied()
    }

    /// Bytes of memory of each layer, by what tells it from any other layer: copies that share one give the same.
    pub fn memory(&self) -> impl Iterator<Item = (usize, usize)> {
        self.layers.iter().map(|layer| (Arc::as_ptr(layer).addr(), layer.bytes()))
    }

    /// The vertices of layers that two copies do not share.
    fn apart<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let both = self.layers.iter().zip(&other.layers);
        let shared = both.take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        let own = self.layers[shared..].iter().chain(&other.layers[shared..]);
        own.flat_map(|layer| layer.vertices.iter().copied())
    }
}

impl<T: Copy> Layer<T> {
    /// Of rows in the order of their vertices.
    fn of<'a>(rows: impl Iterator<Item = (u32, &'a [T])>) -> Self
    where
        T: 'a,
    {
        let mut layer = Self { vertices: Vec::new(), ends: Vec::new(), values: Vec::new() };
        for (vertex, row) in rows {
            layer.vertices.push(vertex);
            layer.values.extend(row);
            layer.ends.push(layer.values.len() as u32);
        }
        // It is kept for as long as it can be undone.
        layer.vertices.shrink_to_fit();
        layer.ends.shrink_to_fit();
        layer.values.shrink_to_fit();
        layer
    }

    fn get(&self, vertex: u32) -> Option<&[T]> {
        self.vertices.binary_search(&vertex).ok().map(|at| self.row(at))
    }

    fn row(&self, at: usize) -> &[T] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.values[start..self.ends[at] as usize]
    }

    fn rows(&self) -> impl Iterator<Item = (u32, &[T])> {
        self.vertices.iter().enumerate().map(|(at, &vertex)| (vertex, self.row(at)))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.vertices[..])
            + size_of_val(&self.ends[..])
            + size_of_val(&self.values[..])
            + size_of::<Self>()
    }
}

/// The rows of layers, in the order of the vertices.
fn sorted<T: Copy>(layers: &[Arc<Layer<T>>]) -> impl Iterator<Item = (u32, &[T])> {
    let mut rows: Vec<(u32, &[T])> = layers.iter().rev().flat_map(|layer| layer.rows()).collect();
    // The sort keeps the order of what is equal, so that the newest row of a vertex stays the first of it.
    rows.sort_by_key(|row| row.0);
    rows.dedup_by_key(|row| row.0);
    rows.into_iter()
}

impl<T: Copy + PartialEq> PartialEq for VertexLayers<T> {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.apart(other).all(|vertex| self.get(vertex) == other.get(vertex))
    }
}

impl<T: Copy + Serialize> Serialize for VertexLayers<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.rows())
    }
}

impl<'de, T: Copy + Deserialize<'de>> Deserialize<'de> for VertexLayers<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut layers = Self::default();
        layers.put(BTreeMap::<u32, Vec<T>>::deserialize(deserializer)?);
        Ok(layers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a map of lists would hold, beside the layers.
    type Plain = BTreeMap<u32, Vec<u16>>;

    /// Strokes here and there, until layers have been merged several times.
    fn painted() -> (VertexLayers<u16>, Plain) {
        let (mut layers, mut plain, mut dice) = (VertexLayers::default(), Plain::new(), 7_u32);
        for stroke in 0..300 {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let row = |i: u32| (dice.rotate_left(i) % 40_000, vec![stroke; i as usize % 4]);
            let rows: Vec<_> = (0..1500).map(|i| (row(i).0.wrapping_mul(i) % 40_000, row(i).1)).collect();
            layers.put(rows.clone());
            plain.extend(rows);
        }
        (layers, plain)
    }

    #[test]
    fn layers_hold_what_a_map_would() {
        let (layers, plain) = painted();
        assert!(layers.layers.len() > 1, "nothing lies over anything");
        assert_eq!(layers.len(), plain.len());
        assert!(layers.rows().eq(plain.iter().map(|(v, row)| (*v, &row[..]))));
        let table = layers.table(40_000);
        for vertex in 0..40_000 {
            let row = plain.get(&vertex).map(|row| &row[..]);
            assert_eq!(layers.get(vertex), row, "{vertex}");
            assert_eq!(table[vertex as usize], row, "{vertex}");
        }
    }

    #[test]
    fn layers_are_written_and_read_as_a_map_would_be() {
        let (layers, plain) = painted();
        let text = serde_json::to_string(&layers).unwrap();
        assert_eq!(text, serde_json::to_string(&plain).unwrap());
        let again: VertexLayers<u16> = serde_json::from_str(&text).unwrap();
        assert!(again == layers && again.layers.len() == 1);
    }

    #[test]
    fn layers_are_equal_where_their_rows_are() {
        let (layers, _) = painted();
        let mut other = layers.clone();
        let (vertex, was) = layers.rows().nth(777).map(|(v, row)| (v, row.to_vec())).unwrap();
        other.put([(vertex, vec![9, 9, 9])]);
        assert!(other != layers);
        other.put([(vertex, was)]);
        assert!(other == layers);
        other.put([(1_000_000, vec![1])]);
        assert!(other != layers);
    }

    #[test]
    fn a_row_more_copies_the_newest_layer_alone() {
        let (layers, _) = painted();
        let mut other = layers.clone();
        other.put([(3, vec![1])]);
        let shared: Vec<_> = layers.memory().collect();
        let own: usize = other.memory().filter(|layer| !shared.contains(layer)).map(|(_, bytes)| bytes).sum();
        assert!(own > 0 && own < (NEWEST + 1) * 16, "{own} bytes");
    }
}
