package io.gpusched.core.model;

/// A claim's number, given by the ledger.
public record ClaimId(long number) {
    @Override
    public String toString() {
        return "claim-" + number;
    }
}
