package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.NodeList;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

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
        assertThat(clone.builds()).hasSize(1);
    }

    @Test
    void aChangedSourceIsBuilt() throws Exception {
        clone.run("gpu-cli");
        clone.source("cli", Instant.now().plusSeconds(60));
        assertThat(clone.run("gpu-cli").err()).contains("sources have changed");
        assertThat(clone.builds()).hasSize(2).endsWith("cli");
    }

    @Test
    void theFirstStartOfAnyLauncherBuildsEverythingOnce() throws Exception {
        String told = clone.run("scheduler").err();
        assertThat(told)
                .contains("building all of gpu-scheduler")
                .contains("once for all commands")
                .contains("server (1 of 8)")
                .contains("bench (8 of 8)");
        for (String launcher :
                List.of("gpu-cli", "agent", "gateway", "operator", "lab", "scheduler")) {
            assertThat(clone.run(launcher).err()).as(launcher).isEmpty();
        }
        assertThat(clone.run("scheduler", "--demo").err()).isEmpty();
        assertThat(clone.builds())
                .containsExactly("server,cli,demo,agent,gateway,operator,lab,bench");
    }

    @Test
    void aFirstBuildThatWasCutShortIsCompletedByTheNextStart() throws Exception {
        Path cli = Files.createDirectories(clone.root().resolve("cli/target"));
        Files.createFile(cli.resolve("cli.jar"));
        clone.run("lab");
        assertThat(clone.builds()).containsExactly("lab,server,demo,agent,gateway,operator,bench");
    }

    @Test
    void aSourceOfAnotherRoomIsNoReasonToBuild() throws Exception {
        clone.run("gpu-cli");
        Files.createFile(clone.root().resolve("core/src/main/B.java"));
        clone.run("gpu-cli");
        assertThat(clone.builds()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"server", "demo", "agent", "gateway", "operator", "cli", "lab", "bench"})
    void whatAModuleIsMadeOfIsWhatItsPomSays(String module) throws Exception {
        var rooms = new TreeSet<String>();
        gather(module, rooms);
        Path bin = Checkout.here().root().resolve("bin");
        var asked =
                FakeClone.finish(
                        new ProcessBuilder(
                                        "sh",
                                        "-c",
                                        "self=$1/x; . \"$1/lib/launch.sh\"; modules_of \"$2\"",
                                        "sh",
                                        bin.toString(),
                                        module)
                                .start());
        assertThat(asked.err()).isEmpty();
        assertThat(asked.out().strip().split(" ")).containsExactlyInAnyOrderElementsOf(rooms);
    }

    /// The module and all of ours that its pom, and the poms of those, name for more than tests.
    private static void gather(String module, Set<String> rooms) throws Exception {
        if (!rooms.add(module)) {
            return;
        }
        Path pom = Checkout.here().root().resolve(module).resolve("pom.xml");
        var found =
                (NodeList)
                        XPathFactory.newInstance()
                                .newXPath()
                                .evaluate(
                                        "/project/dependencies/dependency[groupId = 'io.gpusched'"
                                                + " and not(scope = 'test')]/artifactId",
                                        DocumentBuilderFactory.newInstance()
                                                .newDocumentBuilder()
                                                .parse(pom.toFile()),
                                        XPathConstants.NODESET);
        for (int i = 0; i < found.getLength(); i++) {
            gather(found.item(i).getTextContent().strip(), rooms);
        }
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
        assertThat(clone.builds()).hasSize(1);
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

    /// The fake Maven reads from a pipe into which nobody writes: it would never end by itself.
    @Test
    void aBuildIsStoppedWithItsLauncher() throws Exception {
        Path hold = clone.root().resolve("hold");
        assertThat(new ProcessBuilder("mkfifo", hold.toString()).start().waitFor()).isZero();
        Process launcher = clone.start(clone.root().resolve("bin/gpu-cli"), "jdk", "x");
        var told = launcher.errorReader();
        assertThat(told.readLine()).startsWith("building all of gpu-scheduler");
        assertThat(told.readLine()).isEqualTo("  cli (1 of 8)");
        var maven = launcher.descendants().toList();
        assertThat(maven).isNotEmpty();

        // Not launcher.destroy(), which also closes what it writes to.
        assertThat(launcher.toHandle().destroy()).isTrue();

        assertThat(launcher.waitFor()).isEqualTo(143);
        assertThat(told.readLine()).startsWith("the build was interrupted");
        assertThat(maven).noneMatch(ProcessHandle::isAlive);
        assertThat(clone.root().resolve("target/launch.lock")).doesNotExist();
        Files.delete(hold);
        assertThat(clone.run("gpu-cli", "x").out()).endsWith("[x]\n");
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
