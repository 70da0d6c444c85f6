package io.gpusched.core.learn;

import java.util.List;

/// The GPU chosen for a score request, and the terms of its cost.
///
///     cost = mean + λ·sigma − β·information + γ·penalty
///
/// @param chosen the index in the list of candidates
/// @param priority from 0 for the most expensive candidate to 100 for the cheapest; 50 where all
///        are equal
/// @param avoid neighbours that were seen to slow the job down
/// @param mean seconds
/// @param sigma standard error of the mean in seconds; at most 1 in a choice that wanted to explore
///        and was not allowed to
/// @param explores whether the choice explored
public record Score(
        int chosen,
        double priority,
        List<String> avoid,
        double mean,
        double sigma,
        double information,
        double penalty,
        double cost,
        boolean explores) {
    public Score {
        avoid = List.copyOf(avoid);
    }
}
