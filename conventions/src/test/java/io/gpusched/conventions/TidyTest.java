package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks files line by line: length, width, unfinished work, machine paths, package documentation.
/// `ShapeTest` checks syntax trees.
final class TidyTest {
    private static final int MAX_LINES = 500;
    private static final int MAX_DOC_COLUMNS = 100;

    /// Spelled in pieces, so that this file does not match itself.
    private static final Pattern UNFINISHED =
            Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    private static final Pattern MACHINE_PATH =
            Pattern.compile("(?<![\\w.}~-])/(wo" + "rk|ro" + "ot)(/|\\b(?=[\"'`\\s]))");

    private static final Pattern STUB = Pattern.compile("new Unsupported" + "OperationException");
    private static final Pattern TEST_SHORTCUT =
            Pattern.compile(
                    "@Dis" + "abled\\b|Thread\\.sl" + "eep|org\\.mock" + "ito|org\\.easy" + "mock");

    private static final Checkout CHECKOUT = Checkout.here();

    @Test
    void noFileIsLongerThanTheLimit() {
        assertThat(
                        CHECKOUT.java().stream()
                                .filter(file -> CHECKOUT.lines(file).size() > MAX_LINES)
                                .map(
                                        file ->
                                                file
                                                        + " has more than "
                                                        + MAX_LINES
                                                        + " lines: split"))
                .isEmpty();
    }

    @Test
    void docLinesFitTheirColumns() {
        var wrong = new ArrayList<String>();
        for (Path file : CHECKOUT.java()) {
            find(file, line -> isDoc(line) && width(line) > MAX_DOC_COLUMNS, wrong);
        }
        assertThat(wrong).as("doc lines over %s columns: wrap", MAX_DOC_COLUMNS).isEmpty();
    }

    @Test
    void noSourceIsUnfinished() {
        var wrong = new ArrayList<String>();
        for (Path file : CHECKOUT.java()) {
            find(file, line -> UNFINISHED.matcher(line).find(), wrong);
            if (isMain(file)) {
                find(file, line -> STUB.matcher(line).find(), wrong);
            }
        }
        assertThat(wrong).as("finish it, or leave it out").isEmpty();
    }

    @Test
    void testsTakeNoShortcuts() {
        var wrong = new ArrayList<String>();
        for (Path file : CHECKOUT.java()) {
            if (!isMain(file)) {
                find(file, line -> TEST_SHORTCUT.matcher(line).find(), wrong);
            }
        }
        assertThat(wrong).as("no sleeps, no mocks, no disabled tests").isEmpty();
    }

    @Test
    void everyPackageIsDocumented() {
        var wrong = new TreeSet<String>();
        for (Path file : CHECKOUT.java()) {
            Path folder = file.getParent();
            if (folder == null || file.endsWith("module-info.java")) {
                continue;
            }
            Path main = Path.of(folder.toString().replace("src/test/java", "src/main/java"));
            if (!isDocumentedPackage(folder) && !isDocumentedPackage(main)) {
                wrong.add(folder + " needs a package-info.java with a doc comment and @NullMarked");
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void noFileHasAPathOfTheMachineItWasWrittenOn() {
        var wrong = new ArrayList<String>();
        for (Path file : CHECKOUT.files()) {
            find(file, line -> MACHINE_PATH.matcher(line).find(), wrong);
        }
        assertThat(wrong).as("paths of one machine").isEmpty();
    }

    @Test
    void theReadmeMapsEveryTopLevelFolder() {
        String readme = String.join("\n", CHECKOUT.lines(Path.of("README.md")));
        var missing = new TreeSet<String>();
        for (Path file : CHECKOUT.files()) {
            String top = file.getName(0).toString();
            if (file.getNameCount() > 1
                    && !top.startsWith(".")
                    && !readme.contains("`" + top + "/`")) {
                missing.add("README.md should say what lives in `" + top + "/`");
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyTypeThatTheArchitectureNamesExists() {
        var missing = new TreeSet<String>();
        Matcher named =
                Pattern.compile("`(?:[a-z]+/)*([A-Z][A-Za-z]+)`")
                        .matcher(String.join("\n", CHECKOUT.lines(Path.of("ARCHITECTURE.md"))));
        while (named.find()) {
            Path file = Path.of(named.group(1) + ".java");
            if (CHECKOUT.java().stream().noneMatch(java -> java.endsWith(file))) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    private static boolean isDocumentedPackage(Path folder) {
        Path info = folder.resolve("package-info.java");
        if (!Files.exists(CHECKOUT.root().resolve(info))) {
            return false;
        }
        List<String> lines = CHECKOUT.lines(info);
        return lines.contains("@NullMarked") && lines.stream().anyMatch(TidyTest::isDoc);
    }

    private static void find(
            Path file, java.util.function.Predicate<String> wrong, List<String> into) {
        List<String> lines = CHECKOUT.lines(file);
        for (int i = 0; i < lines.size(); i++) {
            if (wrong.test(lines.get(i))) {
                into.add(file + ":" + (i + 1) + " " + lines.get(i).strip());
            }
        }
    }

    private static boolean isMain(Path file) {
        return file.toString().contains("src/main/");
    }

    private static boolean isDoc(String line) {
        String text = line.stripLeading();
        return text.startsWith("///") || text.startsWith("* ") || text.startsWith("/**");
    }

    /// Counted in code points: a box-drawing character or an arrow is one column.
    private static int width(String line) {
        return line.codePointCount(0, line.length());
    }
}
