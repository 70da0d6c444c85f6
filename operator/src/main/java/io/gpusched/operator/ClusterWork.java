package io.gpusched.operator;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.agent.AgentIdentity;
import io.gpusched.agent.ConnectionSettings;
import io.gpusched.agent.NodeAgent;
import io.gpusched.agent.TermFile;
import io.gpusched.agent.task.Lease;
import io.gpusched.operator.admission.WorkloadAdmission;
import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.cluster.NodeLabels;
import io.gpusched.operator.jobs.JobHost;
import io.gpusched.operator.kube.EventRecorder;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ObjectReference;
import io.gpusched.operator.pods.PodConditions;
import io.gpusched.operator.pods.PodHost;
import io.gpusched.operator.pods.PodKey;
import io.gpusched.operator.pods.PodQueue;
import io.gpusched.operator.pools.PoolController;
import io.gpusched.operator.pools.PoolSettings;
import io.gpusched.operator.pools.RestPoolServer;
import io.gpusched.operator.scheduler.SchedulerRequests;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLException;

/// The work of an operator from when it leads until it leads no more: it follows the cluster,
/// submits what waits, and is the agent of the cluster. Nothing of it outlives a change of the
/// leader; the next one finds everything in the cluster and at the scheduler.
final class ClusterWork implements AutoCloseable {
    private static final int MOST_MESSAGE_BYTES = 64 << 20;

    /// Volumes may have to be made before a pod is bound.
    private static final Duration START_TIMEOUT = Duration.ofMinutes(30);

    /// How long the pods of jobs that have ended stay.
    private static final Duration KEEP_OUTPUT = Duration.ofMinutes(30);

    private final OperatorSettings settings;
    private final String cluster;
    private final SchedulerRequests scheduler;
    private final EventRecorder events;
    private final ClusterPicture picture;
    private final ClusterCaches caches;
    private final PodConditions conditions;
    private final PodHost host;
    private final JobHost jobs;
    private final PodQueue queue;
    private final WorkloadAdmission admission;
    private final PoolController pools;
    private @Nullable NodeAgent agent;
    private boolean followed;
    private boolean queued;
    private boolean closed;

    ClusterWork(KubeApi api, OperatorSettings settings, String cluster) {
        this.settings = settings;
        this.cluster = cluster;
        OperatorSettings.Scheduler where = settings.scheduler();
        this.scheduler = new SchedulerRequests(where.rest(), where.token(), where.tls());
        this.events =
                new EventRecorder(api, settings.schedulerName(), settings.election().identity());
        this.picture = new ClusterPicture(new NodeLabels(cluster), this::isTask);
        this.caches =
                new ClusterCaches(
                        api,
                        settings.schedulerName(),
                        new NodeChanges(),
                        new PodChanges(),
                        this::objectsChanged);
        this.conditions =
                new PodConditions(
                        api,
                        caches,
                        (pod, reason, message) ->
                                events.record(reference(pod), "Warning", reason, message));
        this.queue =
                new PodQueue(
                        new PodQueue.Wiring(
                                scheduler,
                                caches,
                                picture,
                                conditions,
                                cluster,
                                settings.schedulerName(),
                                settings.namespace()));
        this.host = new PodHost(api, caches, picture, settings.inFlight(), new TaskChanges());
        this.jobs =
                new JobHost(
                        api,
                        caches,
                        picture,
                        new JobHost.Settings(
                                settings.schedulerName(),
                                settings.inFlight(),
                                KEEP_OUTPUT,
                                InstantSource.system()),
                        picture::changeOwner);
        this.admission = admission(api);
        this.pools =
                new PoolController(
                        api,
                        new RestPoolServer(
                                SchedulerRequests.client(where.tls()), where.rest(), where.token()),
                        this::tenant,
                        events,
                        PoolSettings.of(cluster, NodeLabels.ofCluster(cluster)));
    }

    private WorkloadAdmission admission(KubeApi api) {
        return new WorkloadAdmission(
                api,
                new WorkloadAdmission.Wiring(
                        scheduler,
                        caches,
                        events,
                        picture::tellLabels,
                        picture::changeOwner,
                        cluster,
                        settings.schedulerName(),
                        settings.namespace()));
    }

    private boolean isTask(String uid) {
        return host.isTask(uid) || jobs.isTask(uid) || admission.isTask(uid);
    }

    /// The tenant of a namespace, which is made unless it exists.
    private String tenant(String namespace) {
        String tenant = queue.tenant(namespace);
        String problem = scheduler.ensureTenant(tenant, tenant);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException(
                    "tenant %s cannot be used: %s".formatted(tenant, problem));
        }
        return tenant;
    }

    private void objectsChanged() {
        queue.objectsChanged();
    }

    private static ObjectReference reference(PodKey pod) {
        return ObjectReference.pod(pod.namespace(), pod.name(), pod.uid());
    }

    /// Begins the work. If it fails, it may be called again and goes on from there.
    ///
    /// @throws KubeException if the cluster cannot be read
    /// @throws io.gpusched.operator.scheduler.SchedulerUnavailable if the scheduler does not answer
    synchronized void start() throws InterruptedException {
        if (closed) {
            return;
        }
        if (!followed) {
            caches.start();
            events.start();
            followed = true;
        }
        if (!queued) {
            queue.start();
            admission.start();
            pools.start();
            queued = true;
        }
        if (agent == null) {
            var begun =
                    new NodeAgent(
                            identity(),
                            new ConnectionSettings(channel(), settings.scheduler().joinToken()),
                            admission.share(new ClusterHost(picture, host, jobs)),
                            Lease.unlimited(),
                            TermFile.inMemory());
            agent = begun;
            begun.start();
        }
    }

    private AgentIdentity identity() {
        String id =
                settings.agentId().isEmpty()
                        ? "cluster-" + cluster.substring(0, Math.min(8, cluster.length()))
                        : settings.agentId();
        return AgentIdentity.ofCluster(id, cluster, settings.inFlight(), START_TIMEOUT);
    }

    private ManagedChannel channel() {
        OperatorSettings.Scheduler where = settings.scheduler();
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(
                                where.agents().getHostString(), where.agents().getPort())
                        .maxInboundMessageSize(MOST_MESSAGE_BYTES);
        if (!where.agentsUseTls()) {
            return builder.usePlaintext().build();
        }
        if (!where.authorities().isEmpty()) {
            try {
                builder.sslContext(
                        GrpcSslContexts.forClient()
                                .trustManager(Path.of(where.authorities()).toFile())
                                .build());
            } catch (SSLException e) {
                throw new UnusableOption("--cacert: cannot use " + where.authorities() + ": " + e);
            }
        }
        return builder.build();
    }

    /// What only a restart repairs.
    String broken() {
        for (var each : caches.problems().entrySet()) {
            if (each.getValue().startsWith("stopped")) {
                return each.getKey() + ": " + each.getValue();
            }
        }
        return "";
    }

    /// What must happen before the operator works.
    String waiting() {
        Map<String, String> problems = caches.problems();
        return problems.isEmpty() ? "" : "the cluster is not followed: " + problems;
    }

    void measure(MetricText text) {
        text.gauge("pods_queued", "Pods that ask for this scheduler.", queue.size());
        text.gauge("tasks", "Tasks that are pods.", host.size() + jobs.size());
        text.gauge("pod_calls", "Requests about pods that run or wait.", host.callsInFlight());
        text.gauge(
                "workload_kinds_unread",
                "Kinds of workloads that cannot be read.",
                admission.problems().size());
        text.gauge(
                "pools_unread",
                "1 if custom resources of pools cannot be read.",
                pools.problem().isEmpty() ? 0 : 1);
        text.gauge("events_dropped", "Events that were not written.", events.dropped());
        text.head("objects", "Objects that are followed.");
        Map<String, List<Integer>> sizes = caches.sizes();
        sizes.forEach(
                (type, size) -> text.sample("objects", "{type=\"" + type + "\"}", size.getFirst()));
        text.head("undecodable_objects", "Objects that cannot be read and are ignored.");
        sizes.forEach(
                (type, size) ->
                        text.sample(
                                "undecodable_objects", "{type=\"" + type + "\"}", size.getLast()));
    }

    @Override
    public void close() {
        NodeAgent running;
        synchronized (this) {
            closed = true;
            running = agent;
        }
        if (running != null) {
            running.close();
        }
        host.close();
        jobs.close();
        if (queued) {
            pools.close();
            admission.close();
            queue.close();
        }
        conditions.close();
        caches.close();
        events.close();
        scheduler.close();
    }

    private final class NodeChanges implements ClusterCaches.Changes {
        @Override
        public void put(JsonNode node) {
            picture.put(node);
        }

        @Override
        public void remove(JsonNode last) {
            picture.remove(last.path("metadata").path("name").asText());
        }
    }

    private final class PodChanges implements ClusterCaches.Changes {
        @Override
        public void put(JsonNode pod) {
            picture.putPod(pod);
            if (JobHost.isJobPod(pod)) {
                jobs.put(pod);
            } else {
                host.put(pod);
                queue.put(pod);
            }
        }

        @Override
        public void remove(JsonNode last) {
            String uid = last.path("metadata").path("uid").asText();
            picture.removePod(uid);
            jobs.remove(uid);
            host.remove(uid);
            queue.remove(uid);
        }
    }

    private final class TaskChanges implements PodHost.PodListener {
        @Override
        public void owned(String uid) {
            picture.changeOwner(uid);
        }

        @Override
        public void released(PodKey pod) {
            queue.released(pod);
        }
    }
}
