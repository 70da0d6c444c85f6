package io.gpusched.agent;

import io.gpusched.agent.model.LocalModels;
import io.gpusched.agent.model.MachineModels;
import io.gpusched.agent.notice.NoticeWatch;
import io.gpusched.agent.task.FileLease;
import io.gpusched.agent.task.ProcessHost;
import io.gpusched.wire.proto.agent.Custody;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/// Starts an agent for this machine.
public final class Main {
    private static final int MOST_MESSAGE_BYTES = 64 << 20;
    private static final Pattern INSTANCE = Pattern.compile("[0-9a-zA-Z-]{8,64}");

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("logback.configurationFile", "io/gpusched/agent/logback.xml");
        List<String> words = List.of(arguments);
        if (words.contains("--help") || words.contains("-h")) {
            System.out.print(AgentOption.help());
            return;
        }
        try {
            run(AgentSettings.of(AgentOption.read(words, System.getenv())));
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("agent: " + e.getMessage());
            System.exit(2);
        }
    }

    private static @Nullable LocalModels models(AgentSettings.CacheSettings settings)
            throws IOException {
        return settings.directory().isEmpty()
                ? null
                : new LocalModels(Path.of(settings.directory()), settings.bytes());
    }

    private static void run(AgentSettings agentSettings) throws IOException, InterruptedException {
        Path data = created(agentSettings.dataDir());
        try (FileChannel _ = lock(data)) {
            FileLease lease = new FileLease(data.resolve("lease"), agentSettings.longestLease());
            String instance = instance(data.resolve("instance"));
            NodeAgent nodeAgent =
                    new NodeAgent(
                            new AgentIdentity(
                                    agentSettings.node().id(),
                                    instance,
                                    Custody.SELF_FENCING,
                                    List.of(agentSettings.node())),
                            new ConnectionSettings(
                                    channel(agentSettings), agentSettings.joinToken()),
                            new ProcessHost(
                                    new ProcessHost.Place(
                                            data,
                                            agentSettings.workDir(),
                                            instance,
                                            agentSettings.node().id()),
                                    lease,
                                    agentSettings.log()),
                            lease,
                            TermFile.keptIn(data.resolve("term")));
            LocalModels models = models(agentSettings.models());
            if (models != null) {
                nodeAgent.keep(new MachineModels(agentSettings.node().id(), models));
            }
            CountDownLatch ended = new CountDownLatch(1);
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform()
                                    .name("agent-shutdown")
                                    .unstarted(
                                            () -> {
                                                nodeAgent.close();
                                                ended.countDown();
                                            }));
            for (String warning : TopologySource.warnings(agentSettings.node().facts())) {
                System.err.println("agent: " + warning);
            }
            if (agentSettings.node().notices() instanceof NoticeWatch watch) {
                watch.start();
            }
            nodeAgent.start();
            System.out.println(
                    "agent node="
                            + agentSettings.node().id()
                            + " server="
                            + agentSettings.server()
                            + " gpus="
                            + agentSettings.node().probe().gpus().size()
                            + " data="
                            + data);
            ended.await();
        }
    }

    /// Creates the directory for its owner alone: jobs write into it and it may hold the join
    /// token.
    private static Path created(Path folder) throws IOException {
        return Files.isDirectory(folder)
                ? folder
                : Files.createDirectories(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
    }

    /// Locks the data directory: two agents would kill each other's tasks.
    private static FileChannel lock(Path data) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw new IllegalArgumentException(
                    "another agent is using " + data + "; stop it, or give another --data-dir");
        }
        return channel;
    }

    /// The agent's instance id. A damaged file is replaced: the scheduler then treats this as
    /// another machine of the same name, and accepts it when the former one's lease has expired.
    private static String instance(Path file) throws IOException {
        try {
            String known = Files.readString(file).strip();
            if (INSTANCE.matcher(known).matches()) {
                return known;
            }
        } catch (NoSuchFileException e) {
            return newInstance(file);
        } catch (IOException e) {
            System.err.println("agent: cannot read " + file + ": " + e);
        }
        System.err.println("agent: " + file + " is damaged; it is replaced by a new one");
        return newInstance(file);
    }

    private static String newInstance(Path file) throws IOException {
        String instance = UUID.randomUUID().toString();
        Files.deleteIfExists(file);
        Files.writeString(file, instance);
        return instance;
    }

    private static ManagedChannel channel(AgentSettings agentSettings) throws IOException {
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(
                                agentSettings.server().getHostString(),
                                agentSettings.server().getPort())
                        .maxInboundMessageSize(MOST_MESSAGE_BYTES);
        if (agentSettings.plaintext()) {
            builder.usePlaintext();
        } else if (!agentSettings.tlsAuthority().isEmpty()) {
            builder.sslContext(
                    GrpcSslContexts.forClient()
                            .trustManager(Path.of(agentSettings.tlsAuthority()).toFile())
                            .build());
        }
        return builder.build();
    }
}
