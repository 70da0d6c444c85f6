package io.gpusched.core.model;

/// A GPU's temperature, quantised where it is measured (with hysteresis), so that the journal does
/// not fill with degrees.
public enum Heat {
    COOL,
    WARM,
    HOT
}
