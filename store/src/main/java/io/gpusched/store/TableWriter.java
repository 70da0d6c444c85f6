package io.gpusched.store;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TenantId;
import io.gpusched.wire.codec.ImageCodec;
import io.gpusched.wire.codec.JobCodec;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;

/// Writes the changes of a [Projection] and its batch number in one transaction.
final class TableWriter implements AutoCloseable {
    private static final String[] ALLOCATION = {
        "id",
        "job_id",
        "tenant_id",
        "state",
        "node_id",
        "gpu_ids",
        "cpu_cores",
        "memory_mb",
        "allocated_at",
        "completed_at",
        "preempted_at",
        "preemption_reason",
        "actual_duration",
        "end_kind"
    };

    private final Connection connection;
    private final JobCodec jobCodec;
    private final ImageCodec imageCodec;
    private final Upsert jobs;
    private final Upsert jobBatches;
    private final Upsert tenants;
    private final Upsert nodes;
    private final Upsert gpus;
    private final Upsert allocations;
    private final RunStats stats;

    TableWriter(Connection connection, Dialect dialect, JobCodec jobCodec, ImageCodec imageCodec)
            throws SQLException {
        this.connection = connection;
        this.jobCodec = jobCodec;
        this.imageCodec = imageCodec;
        jobs = new Upsert(connection, dialect, "jobs", 1, JobColumns.NAMES);
        jobBatches = new Upsert(connection, dialect, "job_batches", 2, "job", "batch");
        tenants = new Upsert(connection, dialect, "tenants", 1, TenantColumns.NAMES);
        nodes = new Upsert(connection, dialect, "nodes", 1, NodeColumns.NAMES);
        gpus = new Upsert(connection, dialect, "gpus", 1, NodeColumns.GPU_NAMES);
        allocations = new Upsert(connection, dialect, "allocations", 1, ALLOCATION);
        stats = new RunStats(connection, dialect);
    }

    void write(Projection projection, long batch) throws SQLException {
        for (Job job : projection.changedJobs.values()) {
            jobs.put(JobColumns.of(job, jobCodec));
        }
        jobs.flush();
        for (var each : projection.jobBatches) {
            jobBatches.put(each.job(), each.batch());
        }
        jobBatches.flush();
        writeTenants(projection);
        writeNodes(projection);
        writeAllocations(projection);
        stats.add(projection.learned);
        execute("UPDATE projected SET batch = ?", batch);
    }

    private void writeTenants(Projection projection) throws SQLException {
        for (TenantId id : projection.changedTenants) {
            TenantTableRow row = projection.tenants.get(id);
            if (row == null) {
                execute("DELETE FROM tenants WHERE id = ?", id.name());
            } else {
                tenants.put(TenantColumns.of(row, imageCodec));
            }
        }
        tenants.flush();
    }

    private void writeNodes(Projection projection) throws SQLException {
        for (NodeId id : projection.reshapedNodes) {
            execute("DELETE FROM gpus WHERE node_id = ?", id.name());
        }
        for (NodeId id : projection.changedNodes) {
            NodeTableRow row = projection.nodes.get(id);
            if (row == null) {
                execute("DELETE FROM nodes WHERE id = ?", id.name());
                continue;
            }
            nodes.put(NodeColumns.of(row, imageCodec));
            for (Gpu gpu : row.node.gpus()) {
                gpus.put(NodeColumns.of(gpu, row));
            }
        }
        nodes.flush();
        gpus.flush();
    }

    /// A run that was placed and ended since the last flush gets only its final row.
    private void writeAllocations(Projection projection) throws SQLException {
        var rows = new LinkedHashMap<String, @Nullable Object[]>();
        for (var placed : projection.placed) {
            for (Slot slot : placed.run().on().slots()) {
                rows.put(id(placed.run(), slot), row(placed.run(), placed.job(), slot, null));
            }
        }
        for (var finished : projection.finished) {
            for (Slot slot : finished.run().on().slots()) {
                rows.put(
                        id(finished.run(), slot),
                        row(finished.run(), finished.job(), slot, finished));
            }
        }
        for (var row : rows.values()) {
            allocations.put(row);
        }
        allocations.flush();
    }

    private static String id(Run run, Slot slot) {
        return "alloc-%s.%s.%s".formatted(run.id().job().number(), run.id().number(), slot.rank());
    }

    private static @Nullable Object[] row(
            Run run, Job job, Slot slot, Projection.@Nullable Finished finished) {
        var preempted = finished != null && finished.state().equals("preempted") ? finished : null;
        return new @Nullable Object[] {
            id(run, slot),
            job.id().toString(),
            job.tenant().name(),
            finished == null ? "active" : finished.state(),
            slot.node().name(),
            JsonText.list(JobColumns.gpus(slot)),
            JobColumns.thousandths(slot.host().milliCpu()),
            slot.host().memoryMiB(),
            run.placed(),
            finished == null ? null : finished.at(),
            preempted == null ? null : preempted.at(),
            preempted == null ? "" : preempted.reason(),
            finished == null ? null : Duration.between(run.placed(), finished.at()).toNanos(),
            finished == null ? RunRow.RUNNING : finished.kind()
        };
    }

    private void execute(String sql, Object value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, value);
            statement.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        for (Upsert each : new Upsert[] {jobs, jobBatches, tenants, nodes, gpus, allocations}) {
            each.close();
        }
        stats.close();
    }
}
