package io.gpusched.wire.codec;

import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.nodes.NodeImage;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.state.BindingLedger;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.DeadlineLedger;
import io.gpusched.core.state.IdempotencyKeys;
import io.gpusched.core.state.ModelLedger;
import io.gpusched.core.state.PoolImage;
import io.gpusched.core.state.StateImage;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.tenants.TenantImage;
import io.gpusched.wire.proto.ImageProto;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Assembles one snapshot from its parts.
final class SnapshotReader {
    private final SnapshotCodec codec;
    private final List<TenantImage> tenants = new ArrayList<>();
    private final List<NodeImage> nodes = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();
    private final List<JobId> ended = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();
    private final SequencedMap<String, IdempotencyKeys.Used> keys = new LinkedHashMap<>();
    private final List<Agent> agents = new ArrayList<>();
    private final List<PoolImage> pools = new ArrayList<>();
    private final List<ModelSpec> models = new ArrayList<>();
    private final List<CachedModel> cached = new ArrayList<>();
    private ModelLedger.Use use = ModelLedger.Use.NONE;
    private final List<AgentClass> classes = new ArrayList<>();
    private final List<QueueBinding> bindings = new ArrayList<>();
    private final List<DeadlineLedger.Entry> deadlines = new ArrayList<>();
    private final List<DeadlineLedger.Seen> spot = new ArrayList<>();
    private final List<Market> markets = new ArrayList<>();
    private final List<RegionForecast> carbon = new ArrayList<>();
    private final List<IdleTask> idle = new ArrayList<>();
    private StateImage.Asked asked =
            new StateImage.Asked(new LinkedHashMap<>(), 1, TypicalWorkload.NOTHING);
    private LearnerImage learned = LearnerImage.NOTHING;
    private ImageProto.@Nullable Head head;
    private long parts;
    private boolean complete;

    SnapshotReader(SnapshotCodec codec) {
        this.codec = codec;
    }

    Snapshot read(InputStream from) throws IOException {
        try {
            while (!complete) {
                ImageProto.Part part = ImageProto.Part.parseDelimitedFrom(from);
                if (part == null) {
                    throw new UnreadableException("a snapshot ends after " + parts + " parts");
                }
                take(part);
                parts++;
            }
            return snapshot();
        } catch (InvalidProtocolBufferException | Check.Broken e) {
            throw new UnreadableException("a snapshot cannot be read: " + e.getMessage(), e);
        }
    }

    private void take(ImageProto.Part part) {
        switch (part.getKindCase()) {
            case HEAD -> {
                if (part.getHead().getVersion() != SnapshotCodec.VERSION) {
                    throw UnreadableException.unknown(
                            "version of a snapshot", part.getHead().getVersion());
                }
                head = part.getHead();
            }
            case TENANT -> tenants.add(codec.images.decode(part.getTenant()));
            case NODE -> nodes.add(codec.images.decode(part.getNode()));
            case JOB -> jobs.add(codec.jobs.decode(part.getJob()));
            case CLAIM -> claims.add(codec.places.decode(part.getClaim()));
            case KEY -> keys.put(part.getKey().getKey(), decode(part.getKey()));
            case AGENT -> agents.add(codec.nodes.decode(part.getAgent()));
            case POOL ->
                    pools.add(
                            PoolImageCodec.old(
                                    codec.tenants.decode(part.getPool()), Instant.EPOCH));
            case POOL_IMAGE -> pools.add(codec.pools.decode(part.getPoolImage()));
            case DECLARED_MODEL -> models.add(PoolLoadCodec.decode(part.getDeclaredModel()));
            case CACHED_MODEL -> cached.add(PoolLoadCodec.decode(part.getCachedModel()));
            case CACHE_USE -> use = PoolLoadCodec.decode(part.getCacheUse());
            case AGENT_CLASS -> classes.add(BindingCodec.decode(part.getAgentClass()));
            case BINDING -> bindings.add(BindingCodec.decode(part.getBinding()));
            case DEADLINE_JOB -> deadlines.add(DeadlineCodec.decode(part.getDeadlineJob()));
            case SPOT_MARKET -> spot.add(DeadlineCodec.decode(part.getSpotMarket()));
            case MARKET -> markets.add(TenantCodec.decode(part.getMarket()));
            case FORECAST -> carbon.add(CarbonCodec.decode(part.getForecast()));
            case ENDED -> part.getEnded().getJobsList().forEach(job -> ended.add(new JobId(job)));
            case ASKED -> asked = RequestStatisticsCodec.decode(part.getAsked());
            case IDLE ->
                    idle.add(
                            new IdleTask(
                                    RunCodec.decode(part.getIdle().getAttempt()),
                                    part.getIdle().getRank(),
                                    TimeCodec.instant(part.getIdle().getSinceMicros())));
            case LEARNED -> learned = LearnedCodec.with(learned, part.getLearned());
            case MODEL -> learned = LearnedCodec.with(learned, part.getModel());
            case END -> {
                if (part.getEnd().getParts() != parts) {
                    throw new UnreadableException(
                            "expected a snapshot of %s parts, found %s"
                                    .formatted(part.getEnd().getParts(), parts));
                }
                complete = true;
            }
            case KIND_NOT_SET -> throw UnreadableException.unknown("part of a snapshot", "none");
        }
    }

    private Snapshot snapshot() {
        ImageProto.Head first = head;
        if (first == null) {
            throw new UnreadableException("a snapshot has no head");
        }
        var image =
                new StateImage(
                        first.getBatch(),
                        TimeCodec.instant(first.getAtMicros()),
                        first.getTerm(),
                        first.getLedger(),
                        first.getPolicy(),
                        first.getLastJob(),
                        first.getLastClaim(),
                        tenants,
                        nodes,
                        jobs,
                        ended,
                        claims,
                        keys,
                        agents,
                        pools,
                        models,
                        new ModelLedger.Image(cached, use),
                        new BindingLedger.Image(classes, bindings),
                        new DeadlineLedger.Image(deadlines, spot),
                        markets,
                        carbon,
                        asked,
                        idle,
                        TimeCodec.duration(first.getLeaseNanos()),
                        policyChanges(first));
        return new Snapshot(image, learned, first.getDigest());
    }

    private static List<Event.PolicyChanged> policyChanges(ImageProto.Head head) {
        return head.getPolicyChangesList().stream()
                .map(
                        kept ->
                                TenantEvents.decode(
                                        TimeCodec.instant(kept.getAtMicros()), kept.getChange()))
                .toList();
    }

    private static IdempotencyKeys.Used decode(ImageProto.Key message) {
        return new IdempotencyKeys.Used(
                new JobId(message.getJob()),
                message.getFingerprint(),
                TimeCodec.instant(message.getAtMicros()));
    }
}
