package io.gpusched.core.spot;

/// Where a job with a deadline runs for the time being.
public enum SpotChoice {
    /// Nowhere; it waits for spot capacity.
    WAIT("wait"),
    SPOT("spot"),
    ON_DEMAND("on demand");

    private final String shown;

    SpotChoice(String shown) {
        this.shown = shown;
    }

    @Override
    public String toString() {
        return shown;
    }
}
