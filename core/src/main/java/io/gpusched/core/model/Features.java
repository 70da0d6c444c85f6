package io.gpusched.core.model;

/// What is known of a job's work besides its kind; 0 for what was not specified.
///
/// @param gpus how many GPUs it ran on
/// @param memoryGb of GPU memory that it needs
/// @param millionParameters of the model it trains or serves
/// @param batchSize samples per step
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
