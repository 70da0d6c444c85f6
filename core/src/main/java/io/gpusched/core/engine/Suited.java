package io.gpusched.core.engine;

import java.util.BitSet;

/// The groups of nodes that a shape may go to at all, in the two forms that are asked for.
final class Suited {
    private final boolean[] groups;
    private final BitSet numbers;
    private final int count;

    Suited(boolean[] groups) {
        this.groups = groups;
        this.numbers = new BitSet(groups.length);
        for (int group = 0; group < groups.length; group++) {
            numbers.set(group, groups[group]);
        }
        this.count = numbers.cardinality();
    }

    boolean[] groups() {
        return groups;
    }

    BitSet numbers() {
        return numbers;
    }

    int count() {
        return count;
    }
}
