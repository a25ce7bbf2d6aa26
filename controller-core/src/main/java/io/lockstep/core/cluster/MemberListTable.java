package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code cluster.member-lists}: node id, or {@link ListedProcess#replicaName} of a
 * replica in a process of its own, to the {@link MemberList} of its file.
 */
public final class MemberListTable implements RecordCodec<String, MemberList> {

  /** The table's name. */
  public static final String NAME = "cluster.member-lists";

  private static final int FORMAT = 1;
  private static final int MAX_ID_BYTES = 64;

  @Override
  public Bytes encodeKey(String node) {
    return Bytes.utf8(node);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(MemberList list) {
    ByteWriter out =
        new ByteWriter().int8(FORMAT).utf8(list.file()).varint(list.processes().size());
    for (ListedProcess one : list.processes()) {
      out.flag(one.kind() == ListedProcess.Kind.REPLICA)
          .utf8(one.id())
          .utf8(one.host())
          .int16(one.port());
    }
    return out.toBytes();
  }

  @Override
  public MemberList decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "member list");
    String file = in.utf8(MemberList.MAX_FILE_BYTES);
    int count = in.count(MemberList.MAX_PROCESSES, 5);
    List<ListedProcess> processes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ListedProcess.Kind kind = in.flag() ? ListedProcess.Kind.REPLICA : ListedProcess.Kind.NODE;
      processes.add(
          new ListedProcess(
              kind, in.utf8(MAX_ID_BYTES), in.utf8(NodeTable.MAX_HOST_BYTES), in.uint16()));
    }
    in.end();
    return new MemberList(file, processes);
  }
}
