package io.gpusched.gateway.binding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// A Kafka broker from its Maven artifacts: broker and controller in one small process.
///
/// @param port without sign-in
/// @param saslPort with user name and password
record KafkaBroker(ServerProcess process, int port, int saslPort) implements AutoCloseable {
    static KafkaBroker start(String user, String password) {
        Path folder = ServerProcess.folder("kafka");
        int port = ServerProcess.freePort();
        int saslPort = ServerProcess.freePort();
        try {
            Path settings =
                    Files.writeString(
                            folder.resolve("server.properties"),
                            settings(folder, port, saslPort, ServerProcess.freePort())
                                    + login(user, password));
            Files.writeString(
                    folder.resolve("logback.xml"),
                    """
                    <configuration>
                      <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                        <encoder><pattern>%level %logger %msg%n</pattern></encoder>
                      </appender>
                      <root level="WARN"><appender-ref ref="console"/></root>
                    </configuration>
                    """);
            run(
                    folder,
                    "kafka.tools.StorageTool",
                    "format",
                    "-t",
                    "MkU3OEVBNTcwNTJENDM2Qg",
                    "--standalone",
                    "-c",
                    settings.toString());
            List<String> command = java(folder, "kafka.Kafka", settings.toString());
            return new KafkaBroker(
                    ServerProcess.start(folder, port, Map.of(), command), port, saslPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String settings(Path folder, int port, int saslPort, int controllerPort) {
        return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.bootstrap.servers=127.0.0.1:%3$d
        controller.listener.names=CONTROLLER
        inter.broker.listener.name=PLAINTEXT
        listeners=PLAINTEXT://127.0.0.1:%1$d,SASL_PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
        log.dirs=%4$s
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=1
        group.initial.rebalance.delay.ms=0
        auto.create.topics.enable=false
        num.network.threads=1
        num.io.threads=2
        log.cleaner.dedupe.buffer.size=2097152
        sasl.enabled.mechanisms=PLAIN
        """
                .formatted(port, saslPort, controllerPort, folder.resolve("messages"));
    }

    private static String login(String user, String password) {
        // Once for the quoted text, once more for the file of properties.
        String quoted = password.replace("\\", "\\\\").replace("\"", "\\\"");
        return "listener.name.sasl_plaintext.plain.sasl.jaas.config="
                + "org.apache.kafka.common.security.plain.PlainLoginModule required user_"
                + user
                + "=\""
                + quoted.replace("\\", "\\\\")
                + "\";\n";
    }

    private static void run(Path folder, String... words) throws IOException {
        Path log = folder.resolve("format.log");
        try {
            Process process =
                    new ProcessBuilder(java(folder, words))
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (process.waitFor() != 0) {
                throw new AssertionError(Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> java(Path folder, String... words) {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx192m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Dlogback.configurationFile=" + folder.resolve("logback.xml"),
                                "-cp",
                                classPath()));
        command.addAll(Arrays.asList(words));
        return command;
    }

    private static String classPath() {
        String tests = System.getProperty("surefire.test.class.path");
        return tests == null ? System.getProperty("java.class.path") : tests;
    }

    @Override
    public void close() {
        process.close();
    }
}
