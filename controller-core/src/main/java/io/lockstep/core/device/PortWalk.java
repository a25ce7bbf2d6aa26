package io.lockstep.core.device;

import io.lockstep.core.mastership.FencedWrite.Write;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.device.PortDescription;

/**
 * Finds the ports of one switch of which the store says something else than the switch, a bounded
 * number at a time: each call goes on behind the port where the last one ended. So a switch with
 * very many ports that change again and again does not have all of them compared for each write.
 * Owned by the control loop.
 */
final class PortWalk {
  /** Ports written at a time: what others write waits for it. */
  static final int MAX_PORTS = 256;

  private static final int MAX_NAME_CHARS = 64;
  private static final long FIRST = Long.MIN_VALUE;
  private static final PortTable PORT_TABLE = new PortTable();

  private final long dpid;

  /** Where the next call begins. */
  private long from = FIRST;

  PortWalk(long dpid) {
    this.dpid = dpid;
  }

  /**
   * Adds the writes that make the store say what the switch says.
   *
   * @param present the switch's ports in ascending order of their numbers
   * @param stored what the store says of them, by number
   * @return whether ports are left, which the next call compares; then there is something to write
   */
  boolean go(
      List<PortDescription> present, NavigableMap<Long, PortRecord> stored, List<Write> writes) {
    int most = writes.size() + MAX_PORTS;
    boolean resumed = from != FIRST;
    return walk(present, stored, writes, most) || (resumed && walk(present, stored, writes, most));
  }

  /** Goes on to the last port; true where {@code writes} has as many as it may before that. */
  private boolean walk(
      List<PortDescription> present,
      NavigableMap<Long, PortRecord> stored,
      List<Write> writes,
      int most) {
    Iterator<Map.Entry<Long, PortRecord>> others = stored.tailMap(from).entrySet().iterator();
    Map.Entry<Long, PortRecord> other = next(others);
    for (PortDescription port : present.subList(firstFrom(present), present.size())) {
      long number = number(port);
      for (; other != null && other.getKey() < number; other = next(others)) {
        if (writes.size() == most) {
          return pauseAt(other.getKey());
        }
        writes.add(remove(other.getKey()));
      }
      if (writes.size() == most) {
        return pauseAt(number);
      }
      PortRecord record = record(port);
      if (other == null || other.getKey() != number || !record.equals(other.getValue())) {
        writes.add(put(number, record));
      }
      if (other != null && other.getKey() == number) {
        other = next(others);
      }
    }
    for (; other != null; other = next(others)) {
      if (writes.size() == most) {
        return pauseAt(other.getKey());
      }
      writes.add(remove(other.getKey()));
    }
    from = FIRST;
    return false;
  }

  private boolean pauseAt(long number) {
    from = number;
    return true;
  }

  /** Index of the first port to look at. */
  private int firstFrom(List<PortDescription> present) {
    int low = 0;
    int high = present.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (number(present.get(middle)) < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static Map.@Nullable Entry<Long, PortRecord> next(
      Iterator<Map.Entry<Long, PortRecord>> entries) {
    return entries.hasNext() ? entries.next() : null;
  }

  private static long number(PortDescription port) {
    return port.portNumber().toLong();
  }

  private Write put(long number, PortRecord record) {
    return new Write.Put(
        PortTable.NAME,
        PORT_TABLE.encodeKey(new PortTable.Key(dpid, number)),
        PORT_TABLE.encodeValue(record));
  }

  private Write remove(long number) {
    return new Write.Remove(PortTable.NAME, PORT_TABLE.encodeKey(new PortTable.Key(dpid, number)));
  }

  private static PortRecord record(PortDescription port) {
    String name = port.annotations().value(AnnotationKeys.PORT_NAME);
    if (name == null) {
      name = port.portNumber().hasName() ? port.portNumber().name() : "";
    }
    return new PortRecord(
        DeviceTexts.bounded(name, MAX_NAME_CHARS), port.isEnabled(), port.type(), port.portSpeed());
  }
}
