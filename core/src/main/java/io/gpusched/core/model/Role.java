package io.gpusched.core.model;

/// A part of a job: between `min` and `max` tasks of one shape. A plain job has one role with one
/// task; a gang of N has one role with min = max = N.
public record Role(String name, Shape shape, int min, int max) {
    public Role {
        Check.that(
                min >= 1 && max >= min,
                "a role has at least one task and max >= min, found %s to %s",
                min,
                max);
    }

    public static Role of(Shape shape, int tasks) {
        return new Role("task", shape, tasks, tasks);
    }
}
