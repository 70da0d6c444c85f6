package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.wire.proto.JournalProto;

import java.time.Instant;

/// Converts every kind of event. Two switches without a default select the family class that knows
/// the fields.
final class EventCodec {
    /// The newest event version that this build writes and reads. Version 1 is implicit.
    static final int VERSION = 1;

    private final JobEvents jobs;
    private final RunEvents runs;
    private final FleetEvents fleet;
    private final TenantEvents tenants;
    private final PoolEvents pools;

    EventCodec(NameInterner nameInterner, SpecCodec specs, PlacementCodec places) {
        jobs = new JobEvents(nameInterner, specs);
        runs = new RunEvents(nameInterner, places);
        fleet = new FleetEvents(nameInterner, places);
        tenants = new TenantEvents(nameInterner);
        pools = new PoolEvents(nameInterner, specs);
    }

    /// @param batchAt the time of the event's batch; the event's time is stored relative to it
    JournalProto.Event encode(Event event, Instant batchAt) {
        var to = JournalProto.Event.newBuilder();
        if (!event.at().equals(batchAt)) {
            to.setLaterMicros(TimeCodec.micros(event.at()) - TimeCodec.micros(batchAt));
        }
        switch (event) {
            case Event.JobSubmitted e -> to.setJobSubmitted(jobs.encode(e));
            case Event.JobUpdated e -> to.setJobUpdated(JobEvents.encode(e));
            case Event.JobHeld e -> to.setJobHeld(JobEvents.encode(e));
            case Event.JobReleased e -> to.setJobReleased(JobEvents.encode(e));
            case Event.JobRequeued e -> to.setJobRequeued(JobEvents.encode(e));
            case Event.JobEnded e -> to.setJobEnded(JobEvents.encode(e));
            case Event.AttemptPlaced e -> to.setAttemptPlaced(runs.encode(e));
            case Event.TaskChanged e -> to.setTaskChanged(RunEvents.encode(e));
            case Event.TaskIdle e -> to.setTaskIdle(RunEvents.encode(e));
            case Event.AttemptRunning e -> to.setAttemptRunning(RunEvents.encode(e));
            case Event.AttemptStopping e -> to.setAttemptStopping(RunEvents.encode(e));
            case Event.StartRefused e -> to.setStartRefused(RunEvents.encode(e));
            case Event.RefusalConfirmed e -> to.setRefusalConfirmed(RunEvents.encode(e));
            case Event.AvoidanceEnded e -> to.setAvoidanceEnded(RunEvents.encode(e));
            case Event.ClaimMade e -> to.setClaimMade(runs.encode(e));
            case Event.ClaimDropped e -> to.setClaimDropped(RunEvents.encode(e));
            case Event.AgentJoined e -> to.setAgentJoined(FleetEvents.encode(e));
            case Event.AgentLost e -> to.setAgentLost(FleetEvents.encode(e));
            case Event.NodeJoined e -> to.setNodeJoined(FleetEvents.encode(e));
            case Event.NodeChanged e -> to.setNodeChanged(FleetEvents.encode(e));
            case Event.NodeRemoved e -> to.setNodeRemoved(FleetEvents.encode(e));
            case Event.GpuChanged e -> to.setGpuChanged(FleetEvents.encode(e));
            case Event.ForeignChanged e -> to.setForeignChanged(fleet.encode(e));
            case Event.TenantPut e -> to.setTenantPut(TenantEvents.encode(e));
            case Event.TenantRemoved e -> to.setTenantRemoved(TenantEvents.encode(e));
            case Event.PoolPut e -> to.setPoolPut(pools.encode(e));
            case Event.PoolLoadChanged e -> to.setPoolLoadChanged(PoolEvents.encode(e));
            case Event.PoolRemoved e -> to.setPoolRemoved(PoolEvents.encode(e));
            case Event.PoolHeld e -> to.setPoolHeld(PoolEvents.encode(e));
            case Event.PoolRecommended e -> to.setPoolRecommended(PoolEvents.encode(e));
            case Event.PoolScaled e -> to.setPoolScaled(PoolEvents.encode(e));
            case Event.PoolLapsed e -> to.setPoolLapsed(PoolEvents.encode(e));
            case Event.ReplicaDraining e -> to.setReplicaDraining(PoolEvents.encode(e));
            case Event.ModelPut e -> to.setModelPut(PoolEvents.encode(e));
            case Event.ModelRemoved e -> to.setModelRemoved(PoolEvents.encode(e));
            case Event.ModelCached e -> to.setModelCached(PoolEvents.encode(e));
            case Event.ModelWanted e -> to.setModelWanted(PoolEvents.encode(e));
            case Event.ModelUnwanted e -> to.setModelUnwanted(PoolEvents.encode(e));
            case Event.PoolChoice e -> to.setPoolChoice(PoolEvents.encode(e));
            case Event.CapacityChosen _, Event.SpotSeen _ -> DeadlineCodec.encode(event, to);
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> BindingCodec.encode(event, to);
            case Event.BindingPut _, Event.BindingRemoved _ -> BindingCodec.encode(event, to);
            case Event.ForecastPut _, Event.ForecastRemoved _, Event.MarketChanged _ ->
                    CarbonCodec.encode(event, to);
            case Event.Observed _, Event.Scored _, Event.RetentionChanged _, Event.Imported _ ->
                    LearnedCodec.encode(event, to);
            case Event.EngineStarted e -> to.setEngineStarted(TenantEvents.encode(e));
            case Event.LeaseBound e -> to.setLeaseBound(TenantEvents.encode(e));
            case Event.OrdersDelayed e -> to.setOrdersDelayed(TenantEvents.encode(e));
            case Event.PolicyChanged e -> to.setPolicyChanged(TenantEvents.encode(e));
        }
        return to.build();
    }

    Event decode(JournalProto.Event from, Instant batchAt) {
        if (from.getVersion() > VERSION) {
            throw UnreadableException.unknown("version of an event", from.getVersion());
        }
        Instant at = at(from, batchAt);
        return switch (from.getKindCase()) {
            case JOB_SUBMITTED -> jobs.decode(at, from.getJobSubmitted());
            case JOB_UPDATED -> jobs.decode(at, from.getJobUpdated());
            case JOB_HELD -> JobEvents.decode(at, from.getJobHeld());
            case JOB_RELEASED -> jobs.decode(at, from.getJobReleased());
            case JOB_REQUEUED -> jobs.decode(at, from.getJobRequeued());
            case JOB_ENDED -> JobEvents.decode(at, from.getJobEnded());
            case ATTEMPT_PLACED -> runs.decode(at, from.getAttemptPlaced());
            case TASK_CHANGED -> RunEvents.decode(at, from.getTaskChanged());
            case TASK_IDLE -> RunEvents.decode(at, from.getTaskIdle());
            case ATTEMPT_RUNNING -> RunEvents.decode(at, from.getAttemptRunning());
            case ATTEMPT_STOPPING -> RunEvents.decode(at, from.getAttemptStopping());
            case START_REFUSED -> runs.decode(at, from.getStartRefused());
            case REFUSAL_CONFIRMED -> runs.decode(at, from.getRefusalConfirmed());
            case AVOIDANCE_ENDED -> runs.decode(at, from.getAvoidanceEnded());
            case CAPACITY_CHOSEN -> DeadlineCodec.decode(at, from.getCapacityChosen());
            case SPOT_SEEN -> DeadlineCodec.decode(at, from.getSpotSeen());
            case CLAIM_MADE -> runs.decode(at, from.getClaimMade());
            case CLAIM_DROPPED -> RunEvents.decode(at, from.getClaimDropped());
            case AGENT_JOINED -> fleet.decode(at, from.getAgentJoined());
            case AGENT_LOST -> fleet.decode(at, from.getAgentLost());
            case NODE_JOINED -> fleet.decode(at, from.getNodeJoined());
            case NODE_CHANGED -> fleet.decode(at, from.getNodeChanged());
            case NODE_REMOVED -> fleet.decode(at, from.getNodeRemoved());
            case GPU_CHANGED -> fleet.decode(at, from.getGpuChanged());
            case FOREIGN_CHANGED -> fleet.decode(at, from.getForeignChanged());
            case TENANT_PUT -> tenants.decode(at, from.getTenantPut());
            case TENANT_REMOVED -> tenants.decode(at, from.getTenantRemoved());
            case POOL_PUT -> pools.decode(at, from.getPoolPut());
            case POOL_LOAD_CHANGED -> pools.decode(at, from.getPoolLoadChanged());
            case POOL_REMOVED -> pools.decode(at, from.getPoolRemoved());
            case POOL_HELD -> pools.decode(at, from.getPoolHeld());
            case POOL_RECOMMENDED -> pools.decode(at, from.getPoolRecommended());
            case POOL_SCALED -> pools.decode(at, from.getPoolScaled());
            case POOL_LAPSED -> pools.decode(at, from.getPoolLapsed());
            case REPLICA_DRAINING -> PoolEvents.decode(at, from.getReplicaDraining());
            case MODEL_PUT -> PoolEvents.decode(at, from.getModelPut());
            case MODEL_REMOVED -> PoolEvents.decode(at, from.getModelRemoved());
            case MODEL_CACHED -> pools.decode(at, from.getModelCached());
            case MODEL_WANTED -> pools.decode(at, from.getModelWanted());
            case MODEL_UNWANTED -> pools.decode(at, from.getModelUnwanted());
            case POOL_CHOICE -> pools.decode(at, from.getPoolChoice());
            case AGENT_CLASS_PUT, AGENT_CLASS_REMOVED, BINDING_PUT, BINDING_REMOVED ->
                    BindingCodec.decode(at, from);
            case FORECAST_PUT, FORECAST_REMOVED, MARKET_CHANGED -> CarbonCodec.decode(at, from);
            case OBSERVED, SCORED, RETENTION_CHANGED, IMPORTED -> LearnedCodec.decode(at, from);
            case LEASE_BOUND -> TenantEvents.decode(at, from.getLeaseBound());
            case ORDERS_DELAYED -> TenantEvents.decode(at, from.getOrdersDelayed());
            case ENGINE_STARTED -> TenantEvents.decode(at, from.getEngineStarted());
            case POLICY_CHANGED -> TenantEvents.decode(at, from.getPolicyChanged());
            case KIND_NOT_SET -> throw UnreadableException.unknown("kind of event", "none");
        };
    }

    private static Instant at(JournalProto.Event from, Instant batchAt) {
        return from.getLaterMicros() == 0
                ? batchAt
                : TimeCodec.instant(TimeCodec.micros(batchAt) + from.getLaterMicros());
    }
}
