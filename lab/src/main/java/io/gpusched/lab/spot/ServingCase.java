package io.gpusched.lab.spot;

/// One window of one trace, run with one policy.
///
/// @param window its number; zones are shuffled once more for each window
/// @param offset first tick of the trace
/// @param overprovision instances beyond the target
/// @param coldStart ticks until an instance is ready
public record ServingCase(
        String trace,
        String seed,
        int window,
        int offset,
        String policy,
        int overprovision,
        int coldStart) {
    public boolean isSpotHedge() {
        return policy.equals(PublishedServing.SPOT_HEDGE);
    }

    ServingCase ours() {
        return new ServingCase(trace, seed, window, offset, ServingRow.OURS, 0, coldStart);
    }
}
