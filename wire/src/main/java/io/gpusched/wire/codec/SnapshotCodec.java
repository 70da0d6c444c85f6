package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.DeadlineLedger;
import io.gpusched.core.state.PoolImage;
import io.gpusched.core.state.StateImage;
import io.gpusched.wire.proto.ImageProto;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/// Writes snapshots to a stream of parts and reads them. Only one encoded part is in memory at a
/// time.
public final class SnapshotCodec {
    /// The newest snapshot version that this build reads and writes.
    static final int VERSION = 1;

    private static final int ENDED_PER_PART = 1 << 12;

    final PlacementCodec places;
    final JobCodec jobs;
    final NodeCodec nodes;
    final TenantCodec tenants;
    final ImageCodec images;
    final PoolImageCodec pools;

    public SnapshotCodec() {
        var nameInterner = new NameInterner();
        places = new PlacementCodec(nameInterner);
        var specs = new SpecCodec(nameInterner);
        jobs = new JobCodec(specs, new RunCodec(places));
        pools = new PoolImageCodec(specs);
        nodes = new NodeCodec(nameInterner);
        tenants = new TenantCodec(nameInterner);
        images = new ImageCodec(places, nodes, tenants);
    }

    public void write(Snapshot snapshot, OutputStream to) throws IOException {
        var out = new Parts(to);
        StateImage image = snapshot.image();
        out.write(ImageProto.Part.newBuilder().setHead(head(snapshot)));
        for (var tenant : image.tenants()) {
            out.write(ImageProto.Part.newBuilder().setTenant(ImageCodec.message(tenant)));
        }
        for (var node : image.nodes()) {
            out.write(ImageProto.Part.newBuilder().setNode(images.message(node)));
        }
        for (var job : image.jobs()) {
            out.write(ImageProto.Part.newBuilder().setJob(jobs.message(job)));
        }
        for (Claim claim : image.claims()) {
            out.write(ImageProto.Part.newBuilder().setClaim(places.encode(claim)));
        }
        for (var key : image.keys().entrySet()) {
            out.write(
                    ImageProto.Part.newBuilder()
                            .setKey(
                                    ImageProto.Key.newBuilder()
                                            .setKey(key.getKey())
                                            .setJob(key.getValue().job().number())
                                            .setFingerprint(key.getValue().fingerprint())
                                            .setAtMicros(TimeCodec.micros(key.getValue().at()))));
        }
        for (Agent agent : image.agents()) {
            out.write(ImageProto.Part.newBuilder().setAgent(NodeCodec.encode(agent)));
        }
        writePools(image, out);
        writeDeadlines(image, out);
        for (Market market : image.markets()) {
            out.write(ImageProto.Part.newBuilder().setMarket(TenantCodec.encode(market)));
        }
        for (RegionForecast forecast : image.carbon()) {
            out.write(ImageProto.Part.newBuilder().setForecast(CarbonCodec.encode(forecast)));
        }
        writeEnded(image.ended(), out);
        out.write(
                ImageProto.Part.newBuilder()
                        .setAsked(RequestStatisticsCodec.encode(image.asked())));
        for (IdleTask task : image.idle()) {
            out.write(
                    ImageProto.Part.newBuilder()
                            .setIdle(
                                    ImageProto.IdleTask.newBuilder()
                                            .setAttempt(RunCodec.encode(task.attempt()))
                                            .setRank(task.rank())
                                            .setSinceMicros(TimeCodec.micros(task.since()))));
        }
        for (ImageProto.Learned learned : LearnedCodec.parts(snapshot.learned())) {
            out.write(ImageProto.Part.newBuilder().setLearned(learned));
        }
        for (var model : RuntimeModelCodec.parts(snapshot.learned().model())) {
            out.write(ImageProto.Part.newBuilder().setModel(model));
        }
        long parts = out.parts;
        out.write(ImageProto.Part.newBuilder().setEnd(ImageProto.End.newBuilder().setParts(parts)));
    }

    /// Throws [UnreadableException] for anything but a complete snapshot of [#write].
    public Snapshot read(InputStream from) throws IOException {
        return new SnapshotReader(this).read(from);
    }

    private static final class Parts {
        final OutputStream to;
        long parts;

        Parts(OutputStream to) {
            this.to = to;
        }

        void write(ImageProto.Part.Builder part) throws IOException {
            part.build().writeDelimitedTo(to);
            parts++;
        }
    }

    private void writePools(StateImage image, Parts out) throws IOException {
        for (PoolImage pool : image.pools()) {
            out.write(ImageProto.Part.newBuilder().setPoolImage(pools.encode(pool)));
        }
        for (ModelSpec model : image.models()) {
            out.write(ImageProto.Part.newBuilder().setDeclaredModel(PoolLoadCodec.encode(model)));
        }
        for (CachedModel one : image.cached().cached()) {
            out.write(ImageProto.Part.newBuilder().setCachedModel(PoolLoadCodec.encode(one)));
        }
        out.write(
                ImageProto.Part.newBuilder()
                        .setCacheUse(PoolLoadCodec.encode(image.cached().use())));
        for (AgentClass each : image.bindings().classes()) {
            out.write(ImageProto.Part.newBuilder().setAgentClass(BindingCodec.encode(each)));
        }
        for (QueueBinding each : image.bindings().bindings()) {
            out.write(ImageProto.Part.newBuilder().setBinding(BindingCodec.encode(each)));
        }
    }

    private static void writeDeadlines(StateImage image, Parts out) throws IOException {
        for (DeadlineLedger.Entry entry : image.deadlines().jobs()) {
            out.write(ImageProto.Part.newBuilder().setDeadlineJob(DeadlineCodec.encode(entry)));
        }
        for (DeadlineLedger.Seen seen : image.deadlines().seen()) {
            out.write(ImageProto.Part.newBuilder().setSpotMarket(DeadlineCodec.encode(seen)));
        }
    }

    private static void writeEnded(List<JobId> ended, Parts out) throws IOException {
        for (int from = 0; from < ended.size(); from += ENDED_PER_PART) {
            var part = ImageProto.Ended.newBuilder();
            for (JobId job : ended.subList(from, Math.min(from + ENDED_PER_PART, ended.size()))) {
                part.addJobs(job.number());
            }
            out.write(ImageProto.Part.newBuilder().setEnded(part));
        }
    }

    private static ImageProto.Head head(Snapshot snapshot) {
        StateImage image = snapshot.image();
        var head = ImageProto.Head.newBuilder();
        for (Event.PolicyChanged change : image.policyChanges()) {
            head.addPolicyChanges(
                    ImageProto.PolicyChange.newBuilder()
                            .setAtMicros(TimeCodec.micros(change.at()))
                            .setChange(TenantEvents.encode(change)));
        }
        return head.setVersion(VERSION)
                .setBatch(image.batch())
                .setAtMicros(TimeCodec.micros(image.at()))
                .setTerm(image.term())
                .setLedger(image.ledger())
                .setPolicy(image.policy())
                .setLastJob(image.lastJob())
                .setLastClaim(image.lastClaim())
                .setLeaseNanos(TimeCodec.nanos(image.lease()))
                .setDigest(snapshot.digest())
                .build();
    }
}
