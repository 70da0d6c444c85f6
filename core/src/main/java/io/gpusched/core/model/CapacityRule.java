package io.gpusched.core.model;

import java.util.List;

/// On which capacity a job with a deadline may run now. It is part of a shape, so that jobs which
/// may run on different capacity never share an answer.
///
/// @param spot the labels of spot nodes, as they were known at the choice
public record CapacityRule(Kind kind, List<SpotLabel> spot) {
    /// Every job without a deadline.
    public static final CapacityRule ANY = new CapacityRule(Kind.ANY, List.of());

    /// A taint of this name keeps ordinary jobs off spot nodes.
    private static final String TAINT = "spot";

    public enum Kind {
        ANY,
        SPOT,
        ON_DEMAND,
        /// It waits for spot capacity.
        NONE
    }

    /// Nodes with this label are spot nodes.
    public record SpotLabel(String label, String value) {}

    public CapacityRule {
        spot = List.copyOf(spot);
    }

    /// Whether a node with these labels is a spot node.
    public boolean isSpot(Labels labels) {
        for (SpotLabel one : spot) {
            if (labels.value(one.label).equals(one.value)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a job that runs on spot capacity only tolerates the taint: spot nodes usually keep
    /// other jobs off by a taint named `spot`, or like their label.
    public boolean tolerates(Taint taint) {
        if (kind != Kind.SPOT) {
            return false;
        }
        for (SpotLabel one : spot) {
            if (taint.key().equals(one.label)) {
                return true;
            }
        }
        return taint.key().equals(TAINT);
    }
}
