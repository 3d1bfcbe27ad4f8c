//! Rigs, tolerances, contracts and goldens for Supple's own tests.
