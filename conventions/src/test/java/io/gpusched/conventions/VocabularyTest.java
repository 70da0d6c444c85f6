package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One word for one concept: the glossary of `ARCHITECTURE.md` names what the code has, names that
/// were replaced do not come back, and a type name has one meaning.
final class VocabularyTest {
    private static final Checkout CHECKOUT = Checkout.here();
    private static final Parsed PARSED = new Parsed(CHECKOUT);

    private static final Path BANNED =
            Path.of("conventions/src/test/resources/io/gpusched/conventions/banned-names.txt");

    /// Banned names that stay, as `Outer.Name`, with the reason.
    private static final Map<String, String> ALLOWED_NAMES =
            Map.of("StateImage.Asked", "its wire message has that name");

    /// Type names that exist in several packages, with the reason.
    private static final Map<String, String> SHARED_NAMES =
            Map.of(
                    "Main", "the entry point of each program",
                    "AgentSession", "the two ends of one stream, in the server and in the agent");

    /// A link to a type by its whole name, as in a `package-info`.
    private static final Pattern LINK = Pattern.compile("\\[(io\\.gpusched\\.[a-z.]+[A-Z]\\w*)");

    private static final Map<Pattern, String> BANNED_PHRASES =
            Map.of(
                    phrase("rooms|(this|each|every|another|which) room"), "module",
                    phrase("the house('s)?|house (rules?|style)"), "project conventions",
                    phrase("(stands?|stood|standing|puts?) in line"), "waits in the queue",
                    phrase("(has|have|had) to leave"), "is preempted",
                    phrase("(makes?|made|making) way"), "is preempted");

    private static Pattern phrase(String words) {
        return Pattern.compile("\\b(" + words + ")\\b", Pattern.CASE_INSENSITIVE);
    }

    @Test
    void everyWordOfTheGlossaryIsAWordOfTheCode() {
        var identifiers = new Identifiers();
        PARSED.findings(identifiers);
        var missing = new TreeSet<>(glossary());
        assertThat(missing).as("words of the glossary in ARCHITECTURE.md").hasSizeGreaterThan(20);
        missing.removeIf(word -> identifiers.words.stream().anyMatch(has(word)));
        assertThat(missing)
                .as("in the glossary of ARCHITECTURE.md, but in no name of a type or member")
                .isEmpty();
    }

    @Test
    void replacedNamesDoNotComeBack() {
        Map<String, String> banned = bannedNames();
        assertThat(banned).hasSizeGreaterThan(50);
        assertThat(
                        PARSED.findings(
                                new TypeScanner() {
                                    @Override
                                    void found(ClassTree type, String path, Parsed parsed) {
                                        String name = type.getSimpleName().toString();
                                        String instead = replacement(banned, name);
                                        if (instead != null && !ALLOWED_NAMES.containsKey(path)) {
                                            wrong(parsed, type, path + ": use " + instead);
                                        }
                                    }
                                }))
                .as("names that need explaining; %s has the list", BANNED)
                .isEmpty();
    }

    @Test
    void oneTypeNameHasOneMeaning() {
        var places = new TreeMap<String, TreeSet<String>>();
        PARSED.findings(
                new TypeScanner() {
                    @Override
                    void found(ClassTree type, String path, Parsed parsed) {
                        if (!isTest(parsed) && !path.contains(".")) {
                            places.computeIfAbsent(path, _ -> new TreeSet<>())
                                    .add(parsed.file(unit()).toString());
                        }
                    }
                });
        places.values().removeIf(files -> files.size() == 1);
        places.keySet().removeAll(SHARED_NAMES.keySet());
        assertThat(places).as("one name for two top-level types: say what is special").isEmpty();
    }

    @Test
    void everyTypeThatADocCommentLinksToExists() {
        var missing = new ArrayList<String>();
        for (Path file : CHECKOUT.java()) {
            for (String line : CHECKOUT.lines(file)) {
                Matcher link = LINK.matcher(line);
                while (line.contains("///") && link.find()) {
                    Path linked = Path.of(link.group(1).replace('.', '/') + ".java");
                    if (CHECKOUT.java().stream().noneMatch(java -> java.endsWith(linked))) {
                        missing.add(file + " links to " + link.group(1));
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void documentsUseTheWordsOfTheField() {
        var wrong = new ArrayList<String>();
        for (Path file : CHECKOUT.files()) {
            if (isDocument(file)) {
                findPhrases(file, wrong);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean isDocument(Path file) {
        boolean top = file.getNameCount() == 1 && !file.endsWith("CHANGELOG.md");
        return file.toString().endsWith(".md")
                && (top || file.startsWith("docs/guide") || file.startsWith("docs/experiments"));
    }

    private static void findPhrases(Path file, List<String> wrong) {
        List<String> lines = CHECKOUT.lines(file);
        boolean fenced = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean fence = line.strip().startsWith("```");
            fenced ^= fence;
            if (fence || fenced || line.startsWith("    ")) {
                continue;
            }
            String prose = line.replaceAll("`[^`]*`", "``");
            for (var phrase : BANNED_PHRASES.entrySet()) {
                Matcher found = phrase.getKey().matcher(prose);
                if (found.find()) {
                    wrong.add(
                            "%s:%d '%s': use '%s'"
                                    .formatted(file, i + 1, found.group(), phrase.getValue()));
                }
            }
        }
    }

    /// The first column of the table, split at commas, and the words in bold in the second.
    private static List<String> glossary() {
        List<String> lines = CHECKOUT.lines(Path.of("ARCHITECTURE.md"));
        int from = lines.indexOf("| word | meaning |") + 2;
        var words = new ArrayList<String>();
        for (String line : lines.subList(from, lines.size())) {
            if (!line.startsWith("|")) {
                break;
            }
            words.addAll(List.of(line.split("\\|")[1].strip().split(", ")));
            Matcher bold = Pattern.compile("\\*\\*(.+?)\\*\\*").matcher(line);
            while (bold.find()) {
                words.add(bold.group(1));
            }
        }
        return words;
    }

    private static Predicate<String> has(String word) {
        return identifier -> (" " + identifier + " ").contains(" " + word + " ");
    }

    private static Map<String, String> bannedNames() {
        var banned = new LinkedHashMap<String, String>();
        for (String line : CHECKOUT.lines(BANNED)) {
            if (!line.startsWith("#")) {
                String[] parts = line.split(" +", 2);
                banned.put(parts[0], parts[1]);
            }
        }
        return banned;
    }

    private static @Nullable String replacement(Map<String, String> banned, String name) {
        String subject = name.replaceFirst("(Property|Oracle)?(Test|IT)$", "");
        for (var ban : banned.entrySet()) {
            String key = ban.getKey();
            if (key.startsWith("*") ? subject.endsWith(key.substring(1)) : subject.equals(key)) {
                return ban.getValue();
            }
        }
        return null;
    }

    /// Visits every type with its path inside the file, as in `StateImage.Asked`.
    private abstract static class TypeScanner extends Parsed.Scanner {
        abstract void found(ClassTree type, String path, Parsed parsed);

        @Override
        public Void visitClass(ClassTree type, Parsed parsed) {
            if (!type.getSimpleName().isEmpty()) {
                found(type, path(), parsed);
            }
            return super.visitClass(type, parsed);
        }

        private String path() {
            var names = new ArrayList<String>();
            for (var tree : getCurrentPath()) {
                if (tree instanceof ClassTree type) {
                    names.addFirst(type.getSimpleName().toString());
                }
            }
            return String.join(".", names);
        }
    }

    /// The names of types, methods, fields and record components in main sources, as words:
    /// `RetryCondition` is "retry condition".
    private static final class Identifiers extends Parsed.Scanner {
        private final TreeSet<String> words = new TreeSet<>();

        @Override
        public Void visitClass(ClassTree type, Parsed parsed) {
            add(type.getSimpleName().toString(), parsed);
            for (var member : type.getMembers()) {
                switch (member) {
                    case MethodTree method -> add(method.getName().toString(), parsed);
                    case VariableTree field -> add(field.getName().toString(), parsed);
                    default -> {}
                }
            }
            return super.visitClass(type, parsed);
        }

        private void add(String identifier, Parsed parsed) {
            if (!isTest(parsed)) {
                words.add(
                        identifier
                                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                                .toLowerCase(Locale.ROOT));
            }
        }
    }
}
