/**
 * Words that the dictionary of `Intl.Segmenter` lacks, so that it would split them (账|号, 設定|檔).
 * Found in the site's Chinese titles; the longer of two that begin alike comes first.
 */
export const chineseWords: readonly string[] = `
  账号 浏览器 自动化 同步器 服务器 客户端 文件夹 链接 页面 博客 手动 付费 早间 校验 图标 逐项 逐条 电商 垂类
  买量 群发 发帖 发布 社媒 买家 卖家 主页 票务 购票 选座 开售 编程 复盘 盘点 点击 点赞 轮班 入职 入群
  转岗 怎么办 优化师 分析师 管理员 开发者 创始人 职业者 防关联 收件箱 搜索框 落地页 切换器 填写 改动
  紫鸟 换成 时区 选对 点错 写明 晨检 无痕 定时 到货 限购 合规 人机 旺季 电脑 调用 下单

  設定檔 瀏覽器 資料夾 部落格 用戶端 管理員 開發者 擁有者 分析師 接案者 收件匣 聊天室 到達頁 切換器 委刊單
  指令碼 程式碼 頁面 分開 分潤 碼錶 社群 電商 開賣 購票 票務 選位 粉專 專頁 貼文 發文 發帖 私訊 停權 按讚
  買家 賣家 無痕 點擊 填寫 到職 合規 法遵 紫鳥 時區 選對 點錯 變慢 寫清楚 寫明 照用 全站 登出 輪班
  人機 限購

  版主 排程 自查 客服
`
  .trim()
  .split(/\s+/)
