package io.gpusched.server.intake;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.TenantRequest;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Turns requests to create or change a tenant into commands for the cell. The times of creation
/// and last change are kept in the tenant's profile.
public final class TenantIntake {
    public static final String CREATED = "created_at";
    public static final String UPDATED = "updated_at";

    private static final long NANOS = 1_000_000_000L;

    private final CommandGateway commandGateway;
    private final InstantSource clock;
    private final ReentrantLock changing = new ReentrantLock();

    public TenantIntake(CommandGateway commandGateway, InstantSource clock) {
        this.commandGateway = commandGateway;
        this.clock = clock;
    }

    /// Creates a tenant, under the requested id or, without one, a generated id.
    public IntakeResult<Tenant> create(JsonTree.Mapping body, Caller caller) {
        Instant now = clock.instant();
        var id = new TenantId("tenant-" + (now.getEpochSecond() * NANOS + now.getNano()));
        return switch (TenantRequest.create(body, id)) {
            case Parsed.Invalid(var problems) -> new IntakeResult.Refused<>(problems, true);
            case Parsed.Valid(var tenant, var warnings) ->
                    put(with(with(tenant, CREATED, now), UPDATED, now), true, caller, warnings);
        };
    }

    /// Changes the fields that the body names and keeps the others. Changes run one after the
    /// other: each starts from the present tenant, so two at once could undo each other.
    ///
    /// @param before reads the present tenant
    public IntakeResult<Tenant> change(
            JsonTree.Mapping body, Supplier<Tenant> before, Caller caller) {
        changing.lock();
        try {
            return switch (TenantRequest.change(body, before.get())) {
                case Parsed.Invalid(var problems) -> new IntakeResult.Refused<>(problems, true);
                case Parsed.Valid(var tenant, var warnings) ->
                        put(with(tenant, UPDATED, clock.instant()), false, caller, warnings);
            };
        } finally {
            changing.unlock();
        }
    }

    private IntakeResult<Tenant> put(
            Tenant tenant, boolean create, Caller caller, List<String> warnings) {
        return switch (commandGateway.ask(new Command.PutTenant(tenant, create, caller.label()))) {
            case Answer.Rejected rejected -> new IntakeResult.Refused<>(rejected.problems());
            case Answer.Accepted accepted -> new IntakeResult.Accepted<>(tenant, warnings);
        };
    }

    private static Tenant with(Tenant tenant, String key, Instant at) {
        Labels profile = tenant.profile().with(key, at.truncatedTo(ChronoUnit.MILLIS).toString());
        return new Tenant(
                tenant.id(),
                tenant.parent(),
                tenant.guaranteed(),
                tenant.limit(),
                tenant.weight(),
                tenant.rules(),
                tenant.active(),
                profile);
    }
}
