package io.gpusched.core.learn.assign;

import java.util.Arrays;

/// The optimal assignment of jobs to places, one each, by potentials and shortest augmenting paths
/// in the cube of their number. Exact, and too slow for a scheduler: it is the reference in tests.
final class Hungarian {
    private Hungarian() {}

    /// The cost of the optimal assignment of every job, where a kind of GPU has several places.
    static double cost(double[][] cost, int[] capacities) {
        int places = Arrays.stream(capacities).sum();
        var wide = new double[cost.length][places];
        for (int job = 0; job < cost.length; job++) {
            int place = 0;
            for (int gpu = 0; gpu < capacities.length; gpu++) {
                for (int one = 0; one < capacities[gpu]; one++) {
                    wide[job][place++] = cost[job][gpu];
                }
            }
        }
        return cost(wide);
    }

    /// @param cost at least as many columns as rows
    static double cost(double[][] cost) {
        int rows = cost.length;
        int columns = cost[0].length;
        var byRow = new double[rows + 1];
        var byColumn = new double[columns + 1];
        var rowOf = new int[columns + 1];
        for (int row = 1; row <= rows; row++) {
            rowOf[0] = row;
            int column = 0;
            var slack = new double[columns + 1];
            var way = new int[columns + 1];
            var used = new boolean[columns + 1];
            Arrays.fill(slack, Double.POSITIVE_INFINITY);
            do {
                used[column] = true;
                int at = rowOf[column];
                double least = Double.POSITIVE_INFINITY;
                int next = 0;
                for (int other = 1; other <= columns; other++) {
                    if (used[other]) {
                        continue;
                    }
                    double reduced = cost[at - 1][other - 1] - byRow[at] - byColumn[other];
                    if (reduced < slack[other]) {
                        slack[other] = reduced;
                        way[other] = column;
                    }
                    if (slack[other] < least) {
                        least = slack[other];
                        next = other;
                    }
                }
                for (int other = 0; other <= columns; other++) {
                    if (used[other]) {
                        byRow[rowOf[other]] += least;
                        byColumn[other] -= least;
                    } else {
                        slack[other] -= least;
                    }
                }
                column = next;
            } while (rowOf[column] != 0);
            while (column != 0) {
                rowOf[column] = rowOf[way[column]];
                column = way[column];
            }
        }
        return -byColumn[0];
    }
}
