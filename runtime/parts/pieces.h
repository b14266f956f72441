/* ---- work in pieces ---- */

enum { blocks_of_task = 32 };

typedef struct task_work {
  void (*step)(const step_work*, uint32_t, uint32_t); /* or shape */
  void (*shape)(const shape_work*, uint32_t, uint32_t);
  const step_work* step_of;
  const shape_work* shape_of;
  uint32_t blocks;
} task_work;

static void run_task(void* data, uint32_t index) {
  const task_work* work = (const task_work*)data;
  const uint32_t begin = index * blocks_of_task;
  const uint32_t end = work->blocks - begin < blocks_of_task ? work->blocks : begin + blocks_of_task;
  if (work->step) work->step(work->step_of, begin, end);
  if (work->shape) work->shape(work->shape_of, begin, end);
}

static void run_over_blocks(const sinew_body* body, task_work* work) {
  const uint32_t tasks = (body->model->blocks + blocks_of_task - 1) / blocks_of_task;
  uint32_t i;
  work->blocks = body->model->blocks;
  if (body->threads.run && body->threads.count > 1 && tasks > 1) {
    body->threads.run(body->threads.host, tasks, run_task, work);
  } else {
    for (i = 0; i < tasks; ++i) run_task(work, i);
  }
}
