package io.gpusched.bench;

/// How thoroughly to measure.
public enum Thoroughness {
    /// Long enough for figures worth writing down.
    FULL,
    /// Just long enough to see that everything works. The figures mean nothing.
    QUICK;

    /// `full` or `quick`, whichever this is.
    public int pick(int full, int quick) {
        return this == FULL ? full : quick;
    }
}
