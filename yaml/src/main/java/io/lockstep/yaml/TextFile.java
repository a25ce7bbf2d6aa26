package io.lockstep.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file of text whole, if it is small enough. */
public final class TextFile {
  private TextFile() {}

  /**
   * The text of a file.
   *
   * @param mostBytes a larger file is refused before it takes memory
   * @param remedy what to do where the file is missing or cannot be read
   * @throws UnreadableFileException where there is no such file, it is larger, cannot be read, or
   *     is not UTF-8; then it names the place of the first byte that is not
   */
  public static String read(Path file, int mostBytes, String remedy)
      throws UnreadableFileException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(mostBytes + 1);
    } catch (IOException e) {
      String why = Files.exists(file) ? "cannot be read: " + e.getMessage() : "no such file";
      throw new UnreadableFileException(file.toString(), new Problem(Place.TOP, "", why, remedy));
    }
    if (bytes.length > mostBytes) {
      throw new UnreadableFileException(
          file.toString(),
          new Problem(
              Place.TOP, "", "larger than " + mostBytes + " bytes", "is it the right file?"));
    }
    return decoded(file, bytes);
  }

  private static String decoded(Path file, byte[] bytes) throws UnreadableFileException {
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), text, true);
    text.flip();
    if (result.isError()) {
      throw new UnreadableFileException(
          file.toString(),
          new Problem(
              endOf(text.toString()), "", "this is not UTF-8", "save the file as UTF-8 text"));
    }
    return text.toString();
  }

  private static Place endOf(String text) {
    int line = 1 + (int) text.chars().filter(each -> each == '\n').count();
    return new Place(line, text.length() - text.lastIndexOf('\n'));
  }
}
