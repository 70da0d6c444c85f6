package io.gpusched.core.model;

/// Prices of capacity in money and carbon, for the nodes with one value of a label.
public record Market(
        String label, String value, long microDollarsPerGpuHour, int gramsPerKwh, boolean spot) {}
