package io.gpusched.core.model;

/// Which replica of which pool a job is.
///
/// @param pool the name of the pool
/// @param number the lowest number that no other replica of the pool had when it was submitted
public record Replica(String pool, int number) {
    public Replica {
        Check.that(!pool.isEmpty(), "the name of the pool is empty");
        Check.that(number >= 0, "a replica's number is not negative, found %s", number);
    }
}
