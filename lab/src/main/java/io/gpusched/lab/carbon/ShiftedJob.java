package io.gpusched.lab.carbon;

/// A job of the experiment.
///
/// @param arrival the slot it comes in
/// @param slots how many slots it runs
record ShiftedJob(int arrival, int slots) {}
