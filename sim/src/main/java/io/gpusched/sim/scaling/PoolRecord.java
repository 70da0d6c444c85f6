package io.gpusched.sim.scaling;

import io.gpusched.core.event.Input;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.scale.Scaler;
import io.gpusched.sim.pools.PoolCase;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What a journal says about a pool in a span of time.
///
/// @param pool as it was at the beginning
/// @param held the size at which an operator held it then; null if none did
/// @param initial replicas that held capacity then
/// @param before reports of load of the hour before
/// @param reports reports of load of the span
/// @param changes how the pool was changed or held
/// @param rooms for how many replicas there was capacity, with those that ran
/// @param loadTime from the placement of a replica until it was ready
/// @param loads how many replicas became ready; 0 means that the load time is assumed
/// @param laws laws of plug-ins that took part
/// @param figures what was attained, and what it took
public record PoolRecord(
        Pool pool,
        @Nullable Integer held,
        Instant from,
        Instant to,
        int initial,
        List<LoadHistory.Sample> before,
        List<LoadHistory.Sample> reports,
        List<Change> changes,
        List<PoolCase.RoomAt> rooms,
        Duration loadTime,
        int loads,
        List<Scaler> laws,
        Figures figures) {
    /// A change of the pool or of a hold.
    public record Change(Instant at, Input input) {}

    /// @param answered requests whose last token was sent
    /// @param within of those, how many met the objectives
    /// @param lost replicas that lost their capacity or ended by themselves
    /// @param dollars 0 where no price is known
    public record Figures(
            long arrivals,
            long rejected,
            long answered,
            long within,
            double replicaHours,
            double gpuHours,
            double dollars,
            int added,
            int removed,
            int lost) {
        /// The percentage of requests within the objectives; a rejected one is not.
        public double percent() {
            long all = answered + rejected;
            return all == 0 ? Double.NaN : 100.0 * within / all;
        }
    }

    public PoolRecord {
        before = List.copyOf(before);
        reports = List.copyOf(reports);
        changes = List.copyOf(changes);
        rooms = List.copyOf(rooms);
        laws = List.copyOf(laws);
    }

    /// GPUs of one replica, in thousandths.
    long milliGpus() {
        return pool.replica().milliGpus();
    }

    /// Dollars for one hour of one replica; 0 where no price is known.
    double dollarsPerHour() {
        return figures.replicaHours() == 0 ? 0 : figures.dollars() / figures.replicaHours();
    }
}
