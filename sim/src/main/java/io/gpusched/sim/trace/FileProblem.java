package io.gpusched.sim.trace;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Describes an I/O problem in words: exceptions often carry only a file name.
public final class FileProblem {
    private FileProblem() {}

    public static String with(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case FileAlreadyExistsException there -> there.getFile() + " is there already";
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case NotDirectoryException file -> file.getFile() + " is not a directory";
            case FileSystemException other when other.getReason() != null ->
                    other.getFile() + ": " + other.getReason();
            case CharacterCodingException encoding ->
                    "it is not text in UTF-8; save it in that encoding";
            default -> e.getMessage() == null ? "it cannot be read or written" : e.getMessage();
        };
    }
}
