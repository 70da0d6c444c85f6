package io.gpusched.cli.command;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// What went wrong with a file, without the names of our classes.
public final class FileErrors {
    private FileErrors() {}

    public static String of(IOException problem) {
        return switch (problem) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "it may not be read";
            default -> String.valueOf(problem.getMessage());
        };
    }
}
