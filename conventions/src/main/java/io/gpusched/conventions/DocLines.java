package io.gpusched.conventions;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Wraps Markdown doc comments (`///`) that are wider than a line.
///
/// google-java-format 1.35 treats such a line as an ordinary comment and continues it with `//`,
/// which splits the doc comment. Therefore long lines are wrapped before google-java-format runs,
/// and a `//` line directly below a `///` line is read as its continuation.
///
///     /// a line that is much too long           /// a line that is
///     /// and goes on                       →    /// much too long and goes on
///
/// Only the paragraph (or list item) that is too wide changes. Indented and fenced code stays.
final class DocLines {
    static final int COLUMNS = 100;

    private static final Pattern DOC = Pattern.compile("(\\s*)///? ?(.*)");
    private static final Pattern CODE = Pattern.compile(" {4,}.*");
    private static final Pattern MARKED =
            Pattern.compile("( {0,3}(?:[-*+]|\\d+[.)]|@\\w+) +)\\S.*");
    private static final Pattern RIGID = Pattern.compile("#.*|\\|.*|>.*|");

    private final List<String> out = new ArrayList<>();
    private final List<String> paragraph = new ArrayList<>();
    private String margin = "";
    private String hanging = "";
    private boolean tooWide;
    private boolean inDoc;
    private boolean fenced;

    private DocLines() {}

    static String wrap(String source) {
        var lines = new DocLines();
        source.lines().forEach(lines::take);
        lines.flush();
        return String.join("\n", lines.out) + "\n";
    }

    private void take(String line) {
        boolean cutOff = inDoc && isComment(line) && !isDoc(line);
        if (!isDoc(line) && !cutOff) {
            flush();
            inDoc = false;
            fenced = false;
            out.add(line);
            return;
        }
        inDoc = true;
        Matcher parts = DOC.matcher(line);
        if (!parts.matches()) {
            throw new IllegalStateException("not a comment: " + line);
        }
        String text = parts.group(2).stripTrailing();
        if (isRigid(text) && !cutOff) {
            flush();
            out.add(line.stripTrailing());
        } else {
            add(parts.group(1), text, cutOff || width(line) > COLUMNS, cutOff);
        }
    }

    private void add(String indent, String text, boolean wide, boolean continues) {
        Matcher marked = MARKED.matcher(text);
        boolean begins = !continues && marked.matches();
        if (begins) {
            flush();
        }
        if (paragraph.isEmpty()) {
            margin = indent;
            hanging = begins ? " ".repeat(marked.group(1).length()) : leading(text);
        }
        paragraph.add(text);
        tooWide |= wide;
    }

    private void flush() {
        if (tooWide) {
            wrapParagraph();
        } else {
            paragraph.forEach(text -> out.add(margin + "/// " + text));
        }
        paragraph.clear();
        tooWide = false;
    }

    private void wrapParagraph() {
        String start = margin + "/// ";
        var line = new StringBuilder(start).append(leading(paragraph.getFirst()));
        boolean empty = true;
        for (String word : String.join(" ", paragraph).strip().split(" +")) {
            if (!empty && width(line) + 1 + width(word) > COLUMNS) {
                out.add(line.toString());
                line = new StringBuilder(start).append(hanging);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        out.add(line.toString());
    }

    private boolean isRigid(String text) {
        boolean fence = text.startsWith("```");
        fenced ^= fence;
        return fence
                || fenced
                || RIGID.matcher(text).matches()
                || CODE.matcher(text).matches() && hanging.length() < 4;
    }

    private static String leading(String text) {
        return text.substring(0, text.length() - text.stripLeading().length());
    }

    private static boolean isDoc(String line) {
        return line.stripLeading().startsWith("///");
    }

    private static boolean isComment(String line) {
        return line.stripLeading().startsWith("//");
    }

    /// In code points: an arrow is one column.
    private static int width(CharSequence text) {
        return (int) text.codePoints().count();
    }
}
