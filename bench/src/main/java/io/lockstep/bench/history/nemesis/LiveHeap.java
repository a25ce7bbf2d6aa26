package io.lockstep.bench.history.nemesis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is alive on the heap of a Java process, asked with the JDK's own {@code jcmd}. */
final class LiveHeap {
  private static final Pattern USED = Pattern.compile("\\btotal .*\\bused (\\d+)K");

  private LiveHeap() {}

  /**
   * Bytes of live objects, after a full collection.
   *
   * @throws IOException where the process does not answer
   */
  static long bytes(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    long kilobytes = usedKilobytes(jcmd(pid, "GC.heap_info"));
    if (kilobytes < 0) {
      throw new IOException("jcmd does not say what the heap of process " + pid + " holds");
    }
    return kilobytes << 10;
  }

  /** What the generations of a serial collector hold together; -1 where it is not said. */
  static long usedKilobytes(String heapInfo) {
    Matcher used = USED.matcher(heapInfo);
    long kilobytes = -1;
    while (used.find()) {
      kilobytes = Math.max(0, kilobytes) + Long.parseLong(used.group(1));
    }
    return kilobytes;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    String tool = Path.of(System.getProperty("java.home", ""), "bin", "jcmd").toString();
    return Tool.run(List.of(tool, Long.toString(pid), command));
  }
}
