package io.gpusched.rl.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Where each part of a network's weights lies in the flat array.
public final class WeightLayout {
    private final List<Part> parts = new ArrayList<>();
    private int size;

    /// A matrix of weights, row after row, or a vector, which is one row.
    ///
    /// @param at where the part begins in the array
    public record Part(String name, int at, int rows, int columns) {
        public int size() {
            return rows * columns;
        }

        @Override
        public String toString() {
            return name + " " + rows + "×" + columns;
        }
    }

    /// Adds a part behind the parts so far.
    public Part add(String name, int rows, int columns) {
        var part = new Part(name, size, rows, columns);
        parts.add(part);
        size += part.size();
        return part;
    }

    public List<Part> parts() {
        return Collections.unmodifiableList(parts);
    }

    /// The number of weights.
    public int size() {
        return size;
    }
}
