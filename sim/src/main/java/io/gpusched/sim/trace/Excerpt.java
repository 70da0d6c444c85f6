package io.gpusched.sim.trace;

/// An excerpt of foreign text that is safe to print: short, and without characters that would move
/// the cursor, change colours or reverse the direction of a terminal.
public final class Excerpt {
    /// Enough of a row to find it again.
    private static final int USUAL_LENGTH = 80;

    private Excerpt() {}

    /// The first 80 characters, and how many there are when there are more.
    public static String of(String text) {
        return of(text, USUAL_LENGTH);
    }

    /// @param most how many characters to show at most
    public static String of(String text, int most) {
        return text.length() <= most
                ? printable(text)
                : printable(text.substring(0, most)) + "… (" + text.length() + " characters)";
    }

    private static String printable(String text) {
        var safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            append(text.charAt(i), safe);
        }
        return safe.toString();
    }

    /// Appends a character, or its code where it is not one to print.
    public static void append(char character, StringBuilder to) {
        if (isPrintable(character)) {
            to.append(character);
        } else {
            to.append(String.format("\\u%04x", (int) character));
        }
    }

    /// Whether a terminal shows the character and does nothing else.
    public static boolean isPrintable(char character) {
        int type = Character.getType(character);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
