package io.gpusched.agent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpServer;

import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

@Timeout(60)
final class LocalModelsTest {
    private static final int MANY = 3_000_000;

    @TempDir Path temp;

    private final LinkedBlockingQueue<List<HeldModel>> seen = new LinkedBlockingQueue<>();

    private Path root() {
        return temp.resolve("cache");
    }

    private Path source(int bytes) throws IOException {
        Path source = Files.createDirectories(temp.resolve("hub/llama"));
        Files.createDirectories(source.resolve("shards"));
        Files.write(source.resolve("config.json"), new byte[10]);
        Files.write(source.resolve("shards/1.bin"), new byte[bytes - 10]);
        return source;
    }

    private static ModelOrder load(String model, String uri, long bytes) {
        return ModelOrder.newBuilder().setModel(model).setUri(uri).setBytes(bytes).build();
    }

    private LocalModels started(long most) throws IOException {
        var cache = new LocalModels(root(), most);
        cache.start(() -> seen.add(cache.held()));
        return cache;
    }

    /// Waits until the cache says so of itself.
    private List<HeldModel> await(Predicate<HeldModel> what) throws InterruptedException {
        while (true) {
            List<HeldModel> held = seen.take();
            if (held.stream().anyMatch(what)) {
                return held;
            }
        }
    }

    private static Path at(LocalModels cache, String model) {
        return Objects.requireNonNull(cache.find(model));
    }

    private static Predicate<HeldModel> is(HeldModel.State state) {
        return held -> held.getState() == state;
    }

    /// A disk of its own has a `lost+found`, which only root may read.
    @Test
    void directoriesThatHoldNoModelAreLeftAlone() throws Exception {
        for (String other : List.of("lost+found", "50%", "%zz", ".trash")) {
            Files.createDirectories(root().resolve(other).resolve("within"));
        }
        Files.createDirectories(root().resolve("org%2Fllama"));
        try (LocalModels cache = new LocalModels(root(), 0)) {
            assertThat(cache.held()).extracting(HeldModel::getModel).containsExactly("org/llama");
        }
        assertThat(root().resolve("lost+found/within")).isDirectory();
    }

    @Test
    void aDirectoryIsCopiedWhole() throws Exception {
        try (LocalModels cache = started(0)) {
            assertThat(cache.find("org/llama")).isNull();
            cache.follow(List.of(load("org/llama", source(MANY).toUri().toString(), MANY)));
            HeldModel held = await(is(HeldModel.State.CACHED)).getFirst();
            assertThat(held.getBytes()).isEqualTo(MANY);
            assertThat(at(cache, "org/llama").resolve("shards/1.bin")).hasSize(MANY - 10L);
        }
    }

    @Test
    void aFileOfAWebServerIsFetched() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/models/",
                exchange -> {
                    boolean known = exchange.getRequestURI().getPath().endsWith("w.bin");
                    exchange.sendResponseHeaders(known ? 200 : 404, MANY);
                    exchange.getResponseBody().write(new byte[MANY]);
                    exchange.close();
                });
        server.start();
        String base = "http://localhost:" + server.getAddress().getPort() + "/models/";
        try (LocalModels cache = started(0)) {
            cache.follow(List.of(load("a", base + "w.bin", 0), load("b", base + "none", 0)));
            List<HeldModel> held = await(is(HeldModel.State.FAILED));
            assertThat(at(cache, "a").resolve("w.bin")).hasSize(MANY);
            assertThat(held)
                    .filteredOn(is(HeldModel.State.FAILED))
                    .extracting(HeldModel::getProblem)
                    .containsExactly("expected status 200 from localhost, found 404");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aModelOfAnotherSizeIsNotTaken() throws Exception {
        try (LocalModels cache = started(0)) {
            cache.follow(List.of(load("llama", source(MANY).toUri().toString(), MANY * 2L)));
            HeldModel held = await(is(HeldModel.State.FAILED)).getFirst();
            assertThat(held.getProblem())
                    .isEqualTo(
                            "expected about 6000000 bytes (size_bytes of the model), found"
                                    + " 3000000");
            assertThat(cache.find("llama")).isNull();
            assertThat(root()).isEmptyDirectory();
        }
    }

    @Test
    void aCacheNeverHoldsMoreThanItMay() throws Exception {
        try (LocalModels cache = started(MANY - 1L)) {
            cache.follow(List.of(load("llama", source(MANY).toUri().toString(), 0)));
            assertThat(await(is(HeldModel.State.FAILED)).getFirst().getProblem())
                    .contains("does not fit", "--model-cache-gb");
            assertThat(root()).isEmptyDirectory();
        }
    }

    @Test
    void anUnknownKindOfAddressIsRefusedWithTheKnownOnes() throws Exception {
        try (LocalModels cache = started(0)) {
            cache.follow(List.of(load("llama", "s3://bucket/llama", 0)));
            assertThat(await(is(HeldModel.State.FAILED)).getFirst().getProblem())
                    .isEqualTo(
                            "agents load models from file:, http: and https: addresses, found"
                                    + " 's3://bucket/llama'");
        }
    }

    @Test
    void whatWasCompleteStaysOverARestartAndWhatWasNotIsLoadedAgain() throws Exception {
        try (LocalModels cache = started(0)) {
            cache.follow(List.of(load("whole", source(MANY).toUri().toString(), MANY)));
            await(is(HeldModel.State.CACHED));
        }
        // Killed between the copy and its renaming.
        Path draft = Files.createDirectories(root().resolve(".loading-half"));
        Files.write(draft.resolve("1.bin"), new byte[100]);
        seen.clear();
        try (LocalModels cache = started(0)) {
            assertThat(cache.held())
                    .extracting(HeldModel::getModel, HeldModel::getState)
                    .containsExactly(tuple("whole", HeldModel.State.CACHED));
            assertThat(draft).doesNotExist();
            cache.follow(List.of(load("half", source(MANY).toUri().toString(), MANY)));
            await(held -> held.getModel().equals("half") && held.getBytes() == MANY);
            assertThat(cache.find("whole")).isNotNull();
        }
    }

    @Test
    void aModelIsRemovedWhenThatIsOrderedAndOtherwiseStays() throws Exception {
        try (LocalModels cache = started(0)) {
            String uri = source(MANY).toUri().toString();
            cache.follow(List.of(load("a", uri, 0), load("b", uri, 0)));
            await(held -> held.getModel().equals("b") && held.getBytes() == MANY);
            seen.clear();
            cache.follow(List.of(ModelOrder.newBuilder().setModel("a").setRemove(true).build()));
            assertThat(seen.take()).extracting(HeldModel::getModel).containsExactly("b");
            assertThat(cache.find("a")).isNull();
            assertThat(cache.find("b")).isNotNull();
        }
    }
}
