package io.lockstep.core.cluster;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes of the cluster as the file of one of them lists them.
 *
 * @param file its path; empty where it is not known
 * @param processes in the order of kind and id
 */
public record MemberList(String file, List<ListedProcess> processes) {
  /** Processes of a list that is published; more are not compared. */
  static final int MAX_PROCESSES = 1_024;

  /** Longest path in bytes that is published. */
  static final int MAX_FILE_BYTES = 1_024;

  public MemberList {
    List<ListedProcess> inOrder = new ArrayList<>(processes);
    inOrder.sort(ListedProcess.ORDER);
    processes = List.copyOf(inOrder.subList(0, Math.min(MAX_PROCESSES, inOrder.size())));
  }

  /** The list of a process as the others see it: without a path that is too long for that. */
  static MemberList published(String file, List<ListedProcess> processes) {
    boolean fits = file.getBytes(StandardCharsets.UTF_8).length <= MAX_FILE_BYTES;
    return new MemberList(fits ? file : "", processes);
  }

  /** Whether both list the same processes, wherever that is written. */
  boolean agrees(MemberList other) {
    return processes.equals(other.processes);
  }
}
