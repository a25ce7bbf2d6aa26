package io.lockstep.bench.runs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Java process holds, asked with the JDK's own {@code jcmd}. */
public final class LiveMemory {
  private static final Pattern USED = Pattern.compile("\\btotal .*\\bused (\\d+)K");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final int PATIENCE_SECONDS = 120;

  private LiveMemory() {}

  /**
   * Bytes of live objects: what a serial collector's heap holds after a full collection.
   *
   * @throws IOException where the process does not answer, or there is no {@code jcmd}
   */
  public static long liveBytes(ProcessHandle process) throws IOException, InterruptedException {
    long kilobytes = usedKilobytes(jcmd(process, "GC.run\nGC.heap_info"));
    if (kilobytes < 0) {
      throw new IOException(
          "jcmd does not say what the heap of process " + process.pid() + " holds");
    }
    return kilobytes << 10;
  }

  /** What the generations hold together, or the heap of a collector without; -1 where not told. */
  static long usedKilobytes(String heapInfo) {
    Matcher used = USED.matcher(heapInfo);
    long kilobytes = -1;
    while (used.find()) {
      kilobytes = Math.max(0, kilobytes) + Long.parseLong(used.group(1));
    }
    return kilobytes;
  }

  /** Bytes of memory that the process takes from the machine; 0 where the system does not tell. */
  public static long residentBytes(ProcessHandle process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    Matcher resident = RESIDENT.matcher(Files.readString(status));
    return resident.find() ? Long.parseLong(resident.group(1)) << 10 : 0;
  }

  /**
   * @param commands one a line: each start of the tool takes as long as a collection
   */
  private static String jcmd(ProcessHandle process, String commands)
      throws IOException, InterruptedException {
    String tool = Path.of(System.getProperty("java.home", ""), "bin", "jcmd").toString();
    if (!Files.isExecutable(Path.of(tool))) {
      throw new IOException("there is no " + tool + ": a JDK is needed, not a JRE");
    }
    return ToolProcess.run(List.of(tool, Long.toString(process.pid()), commands), PATIENCE_SECONDS);
  }
}
