package io.gpusched.core.model;

/// How a GPU is doing, as far as decisions care: its heat, and whether it may be used at all. An
/// unfit GPU carries the reason a person needs.
public record GpuCondition(Heat heat, boolean fit, String reason) {
    public static final GpuCondition GOOD = new GpuCondition(Heat.COOL, true, "");
}
