package io.lockstep.deploy.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * The Java virtual machine and the process, under the names that dashboards for any Java program
 * use ({@code jvm_}, {@code process_}).
 */
final class ProcessFamilies {

  void add(MetricFamilies families) {
    addMemory(families);
    MetricFamilies.Sums collections =
        families.sums("jvm_gc_collection_seconds", "Collections of the garbage collector.", "gc");
    for (GarbageCollectorMXBean one : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections.add(
          Math.max(0, one.getCollectionCount()),
          Math.max(0, one.getCollectionTime()) / 1e3,
          one.getName());
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    families.gauge("jvm_threads_current", "Threads.").add(threads.getThreadCount());
    families.gauge("jvm_threads_daemon", "Daemon threads.").add(threads.getDaemonThreadCount());
    families
        .gauge("jvm_threads_peak", "The most threads so far.")
        .add(threads.getPeakThreadCount());
    families
        .gauge("process_start_time_seconds", "When the process started, since 1970.")
        .add(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      families
          .counter("process_cpu_seconds_total", "Time of processors that the process used.")
          .add(Math.max(0, system.getProcessCpuTime()) / (double) TimeUnit.SECONDS.toNanos(1));
      families.gauge("process_open_fds", "Open files.").add(system.getOpenFileDescriptorCount());
      families
          .gauge("process_max_fds", "Files that may be open.")
          .add(system.getMaxFileDescriptorCount());
    }
  }

  private static void addMemory(MetricFamilies families) {
    MetricFamilies.Samples used = families.gauge("jvm_memory_used_bytes", "Memory in use.", "area");
    MetricFamilies.Samples committed =
        families.gauge("jvm_memory_committed_bytes", "Memory that the system gave.", "area");
    MetricFamilies.Samples most =
        families.gauge("jvm_memory_max_bytes", "The most that may be used.", "area");
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    MemoryUsage rest = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
    used.add(heap.getUsed(), "heap");
    used.add(rest.getUsed(), "nonheap");
    committed.add(heap.getCommitted(), "heap");
    committed.add(rest.getCommitted(), "nonheap");
    most.add(heap.getMax(), "heap");
    MetricFamilies.Samples buffers =
        families.gauge("jvm_buffer_pool_used_bytes", "Memory of buffers outside the heap.", "pool");
    for (BufferPoolMXBean one : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      buffers.add(Math.max(0, one.getMemoryUsed()), one.getName());
    }
  }
}
