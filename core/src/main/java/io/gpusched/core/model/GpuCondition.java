package io.gpusched.core.model;

/// The health of a GPU, as far as decisions need it: its heat, and whether it may be used at all.
/// An unfit GPU carries a reason for the operator.
public record GpuCondition(Heat heat, boolean fit, String reason) {
    public static final GpuCondition GOOD = new GpuCondition(Heat.COOL, true, "");
}
