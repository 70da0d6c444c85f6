package io.gpusched.core.model;

/// What is known of the work inside a job beside its kind, where somebody said it; 0 where nobody
/// did.
///
/// @param gpus how many GPUs it ran on
/// @param memoryGb of GPU memory that it needs
/// @param millionParameters of the model it works with
/// @param batchSize how many samples it takes at once
public record Features(int gpus, double memoryGb, double millionParameters, double batchSize) {
    public static final Features NONE = new Features(0, 0, 0, 0);

    public Features {
        Check.that(
                gpus >= 0 && memoryGb >= 0 && millionParameters >= 0 && batchSize >= 0,
                "features are not negative, found %s GPUs, %s GB, %s parameters, %s samples",
                gpus,
                memoryGb,
                millionParameters,
                batchSize);
    }
}
