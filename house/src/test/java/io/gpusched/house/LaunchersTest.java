package io.gpusched.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/// The launchers in `bin/`, run for real in a clone whose JDK and Maven are fakes.
final class LaunchersTest {
    @TempDir private Path folder;
    private FakeClone clone;

    @BeforeEach
    void makeAClone() throws Exception {
        clone = new FakeClone(folder);
    }

    @Test
    void theFirstStartBuildsAndTheSecondDoesNot() throws Exception {
        assertThat(clone.run("gpu-cli", "status").err()).contains("first start, a few minutes");
        assertThat(clone.run("gpu-cli", "status").err()).isEmpty();
        assertThat(clone.builds()).isEqualTo(1);
    }

    @Test
    void aChangedSourceIsBuilt() throws Exception {
        clone.run("gpu-cli");
        clone.source("cli", Instant.now().plusSeconds(60));
        assertThat(clone.run("gpu-cli").err()).contains("sources have changed");
    }

    @Test
    void aSourceOfAnotherRoomIsNoReasonToBuild() throws Exception {
        clone.run("gpu-cli");
        Files.createFile(clone.root().resolve("core/src/main/B.java"));
        clone.run("gpu-cli");
        assertThat(clone.builds()).isEqualTo(1);
    }

    @Test
    void argumentsArriveAsTheyWereGiven() throws Exception {
        assertThat(clone.run("gpu-cli", "a b", "", "*", "'\"$HOME\\").out())
                .endsWith("[io.gpusched.cli.Main]\n[a b]\n[]\n[*]\n['\"$HOME\\]\n");
    }

    @Test
    void aLauncherIsFoundThroughSymbolicLinks() throws Exception {
        Path link = folder.resolve("cli");
        Files.createSymbolicLink(link, clone.root().resolve("bin/gpu-cli"));
        Path linked = Files.createSymbolicLink(folder.resolve("again"), Path.of("cli"));
        assertThat(FakeClone.finish(clone.start(linked, "jdk", "x")).out()).endsWith("[x]\n");
    }

    @Test
    void theDemoIsAnotherMainClass() throws Exception {
        assertThat(clone.run("scheduler", "--http-port", "1").out())
                .contains("[io.gpusched.server.Main]\n[--http-port]");
        assertThat(clone.run("scheduler", "--http-port", "1", "--demo").out())
                .contains("[io.gpusched.demo.Main]\n[--http-port]");
    }

    @Test
    void twoLaunchersBuildOnce() throws Exception {
        Process one = clone.start(clone.root().resolve("bin/gpu-cli"), "jdk", "one");
        Process two = clone.start(clone.root().resolve("bin/gpu-cli"), "jdk", "two");
        assertThat(FakeClone.finish(one).out()).endsWith("[one]\n");
        assertThat(FakeClone.finish(two).out()).endsWith("[two]\n");
        assertThat(clone.builds()).isEqualTo(1);
    }

    @Test
    void theLockOfADeadLauncherIsTaken() throws Exception {
        Path lock = Files.createDirectories(clone.root().resolve("target/launch.lock"));
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.writeString(lock.resolve("pid"), dead.pid() + "\n");
        assertThat(clone.run("gpu-cli", "x").out()).endsWith("[x]\n");
        assertThat(lock).doesNotExist();
    }

    @Test
    void aFailedBuildShowsItsLogAndIsTriedAgain() throws Exception {
        Path broken = Files.createFile(clone.root().resolve("broken"));
        var failed = clone.run("gpu-cli");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("it does not compile").contains("launch-cli.log");
        Files.delete(broken);
        assertThat(clone.run("gpu-cli", "x").out()).endsWith("[x]\n");
    }

    @Test
    void anOldJdkIsRefusedByName() throws Exception {
        clone.jdk("old", "17.0.15");
        var refused =
                FakeClone.finish(clone.start(clone.root().resolve("bin/gpu-cli"), "old", "x"));
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("old is not a JDK 25 or newer");
    }

    @Test
    void aNewerJdkIsWelcome() throws Exception {
        clone.jdk("new", "26-ea");
        var started =
                FakeClone.finish(clone.start(clone.root().resolve("bin/gpu-cli"), "new", "x"));
        assertThat(started.out()).endsWith("[x]\n");
    }
}
