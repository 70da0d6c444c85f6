package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import io.gpusched.agent.AgentIdentity;
import io.gpusched.agent.ConnectionSettings;
import io.gpusched.agent.FakeGpus;
import io.gpusched.agent.NodeAgent;
import io.gpusched.agent.ServedNode;
import io.gpusched.agent.TermFile;
import io.gpusched.agent.task.FileLease;
import io.gpusched.agent.task.LogLimits;
import io.gpusched.agent.task.ProcessHost;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A real agent on this machine, with a name of its own and four fake GPUs. It can crash and come
/// back; closing it also ends everything that it left running.
public final class LoopbackAgent implements AutoCloseable {
    private final String name;
    private final Path directory;
    private final int port;
    private final String token;
    private NodeAgent nodeAgent;
    private boolean dead;

    public LoopbackAgent(String name, Path directory, int port) {
        this(name, directory, port, "");
    }

    public LoopbackAgent(String name, Path directory, int port, String token) {
        this.name = name;
        this.directory = directory.resolve(name);
        this.port = port;
        this.token = token;
        this.nodeAgent = started();
    }

    /// Stops without notice, as in a crash. Its tasks keep running.
    public void die() {
        nodeAgent.close();
        dead = true;
    }

    public void comeBack() {
        nodeAgent = started();
        dead = false;
    }

    Path taskFile(String task, String file) {
        return directory.resolve("tasks").resolve(task).resolve(file);
    }

    /// Whether no shim of this agent is left.
    public boolean quiet() {
        return shims().isEmpty();
    }

    @Override
    public void close() {
        if (!dead) {
            die();
        }
        try {
            // Without a lease, the shims end their tasks.
            Files.deleteIfExists(directory.resolve("lease"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        eventually("no task left of " + name, this::quiet, this::shims);
    }

    private List<ProcessHandle> shims() {
        List<ProcessHandle> alive = new ArrayList<>();
        Path tasks = directory.resolve("tasks");
        if (!Files.exists(tasks)) {
            return alive;
        }
        try (Stream<Path> all = Files.list(tasks)) {
            for (Path task : all.toList()) {
                Path shim = task.resolve("shim");
                if (Files.exists(shim) && !Files.exists(task.resolve("exit"))) {
                    long pid = Long.parseLong(Files.readString(shim).split(" ")[0]);
                    ProcessHandle.of(pid).filter(ProcessHandle::isAlive).ifPresent(alive::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return alive;
    }

    private NodeAgent started() {
        try {
            Files.createDirectories(directory);
            FileLease lease = new FileLease(directory.resolve("lease"), Duration.ofHours(1));
            NodeFacts facts =
                    NodeFacts.newBuilder()
                            .setNodeId(name)
                            .setIpAddress("127.0.0.1")
                            .setCpuCores(64)
                            .setMemoryMb(1 << 20)
                            .build();
            NodeAgent made =
                    new NodeAgent(
                            new AgentIdentity(
                                    name,
                                    "instance-of-" + directory,
                                    Custody.SELF_FENCING,
                                    List.of(new ServedNode(facts, FakeGpus.parse("4xA100-80GB")))),
                            new ConnectionSettings(
                                    NettyChannelBuilder.forAddress("localhost", port)
                                            .usePlaintext()
                                            .build(),
                                    () -> token),
                            new ProcessHost(
                                    new ProcessHost.Place(
                                            directory, "instance-of-" + directory, name),
                                    lease,
                                    LogLimits.DEFAULT),
                            lease,
                            TermFile.keptIn(directory.resolve("term")));
            made.start();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
