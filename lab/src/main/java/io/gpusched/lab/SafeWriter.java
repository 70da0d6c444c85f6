package io.gpusched.lab;

import io.gpusched.sim.trace.Excerpt;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/// Escapes control characters: names and rows of traces come from other sources and must not move
/// the cursor or change the colours of a terminal.
final class SafeWriter extends FilterWriter {
    SafeWriter(Writer to) {
        super(to);
    }

    @Override
    public void write(int character) throws IOException {
        write(String.valueOf((char) character), 0, 1);
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        write(new String(text, from, length), 0, length);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
        var safe = new StringBuilder(length);
        for (int i = from; i < from + length; i++) {
            char character = text.charAt(i);
            if (character == '\t' || System.lineSeparator().indexOf(character) >= 0) {
                safe.append(character);
            } else {
                Excerpt.append(character, safe);
            }
        }
        out.write(safe.toString(), 0, safe.length());
    }
}
