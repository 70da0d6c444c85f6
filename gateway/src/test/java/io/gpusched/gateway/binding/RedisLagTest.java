package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;
import static io.gpusched.gateway.binding.Readings.depth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Against a server of Debian's package `redis-server`.
final class RedisLagTest {
    private static final Path PROGRAM = Path.of("/usr/bin/redis-server");
    private static final String PASSWORD = "p@ss/w:rd";
    private static final String ENCODED = "p%40ss%2Fw%3Ard";

    private static ServerProcess server;
    private static int port;

    private Jedis client;

    @BeforeAll
    static void start() {
        ServerProcess.need(PROGRAM, "redis-server");
        Path folder = ServerProcess.folder("redis");
        port = ServerProcess.freePort();
        server =
                ServerProcess.start(
                        folder,
                        port,
                        Map.of(),
                        List.of(
                                PROGRAM.toString(),
                                "--port",
                                String.valueOf(port),
                                "--bind",
                                "127.0.0.1",
                                "--save",
                                "",
                                "--requirepass",
                                PASSWORD));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void connect() {
        client = new Jedis(URI.create(url(ENCODED)));
        client.flushAll();
    }

    private static String url(String password) {
        return "redis://:" + password + "@127.0.0.1:" + port;
    }

    private static Binding list(String connection) {
        return binding("redis", connection, "orders", "");
    }

    private static Binding stream() {
        return binding("redis", url(ENCODED), "events", "workers");
    }

    @Test
    void theDepthOfAListIsItsLength() throws Exception {
        assertThat(depth(list(url(ENCODED)))).isZero();
        IntStream.range(0, 7).forEach(i -> client.lpush("orders", "job"));
        assertThat(depth(list(url(ENCODED)))).isEqualTo(7);
        client.rpop("orders");
        assertThat(depth(list(url(ENCODED)))).isEqualTo(6);
    }

    @Test
    void aDatabaseOfTheServerCanBeChosen() throws Exception {
        client.select(3);
        client.lpush("orders", "job");
        assertThat(depth(list(url(ENCODED) + "/3"))).isEqualTo(1);
        assertThat(depth(list(url(ENCODED) + "/0"))).isZero();
    }

    @Test
    void theDepthOfAStreamIsWhatItsGroupHasNotAcknowledged() throws Exception {
        createGroup();
        assertThat(depth(stream())).isZero();
        IntStream.rangeClosed(1, 5).forEach(i -> add(i + "-1"));
        assertThat(depth(stream())).isEqualTo(5);
        readOne();
        assertThat(depth(stream())).as("one delivered, not acknowledged").isEqualTo(5);
        ask(Protocol.Command.XACK, "events", "workers", "1-1");
        assertThat(depth(stream())).isEqualTo(4);
    }

    @Test
    void entriesAreCountedWhereTheServerCannotTellTheLag() throws Exception {
        createGroup();
        IntStream.rangeClosed(1, 5).forEach(i -> add(i + "-1"));
        readOne();
        ask(Protocol.Command.XDEL, "events", "3-1");
        assertThat(depth(stream())).as("1 pending, 3 left").isEqualTo(4);
    }

    @Test
    void wrongPasswordsKeysAndGroupsAreNamed() {
        client.lpush("orders", "job");
        createGroup();
        assertProblem(list(url("canary-1")), "refused the credentials");
        assertProblem(list("redis://127.0.0.1:" + port), "refused the credentials");
        assertProblem(binding("redis", url(ENCODED), "events", ""), "of another type");
        assertProblem(binding("redis", url(ENCODED), "orders", "workers"), "of another type");
        assertProblem(binding("redis", url(ENCODED), "events", "others"), "no such group");
        assertProblem(binding("redis", url(ENCODED), "none", "workers"), "no such stream");
        assertProblem(list(url(ENCODED) + "/x"), "a database number");
        assertProblem(list("http://127.0.0.1"), "redis:// or rediss://");
        assertProblem(list("redis://127.0.0.1:" + ServerProcess.freePort()), "no server accepts");
    }

    private Object ask(Protocol.Command command, String... words) {
        return client.sendCommand(command, words);
    }

    private void add(String id) {
        ask(Protocol.Command.XADD, "events", id, "field", "value");
    }

    private void createGroup() {
        ask(Protocol.Command.XGROUP, "CREATE", "events", "workers", "0", "MKSTREAM");
    }

    private void readOne() {
        ask(
                Protocol.Command.XREADGROUP,
                "GROUP",
                "workers",
                "one",
                "COUNT",
                "1",
                "STREAMS",
                "events",
                ">");
    }
}
